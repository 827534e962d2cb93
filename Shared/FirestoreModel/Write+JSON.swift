import JSONCoding

extension Write: Codable {
  private enum Member: String, CodingKey, CaseIterable {
    case update, delete, verify, transform, updateMask, updateTransforms, currentDocument
  }

  private struct Transform: Codable {
    var document: DocumentName
    var fieldTransforms: [FieldTransform]?
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    let operations: [Member] = [.update, .delete, .verify, .transform]
    let present = operations.filter(container.contains)
    guard let member = present.first, present.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: present.isEmpty
            ? "empty write operation" : "a write has one operation"
        )
      )
    }
    if member == .transform {
      try decoder.refuseUnknownMembers(
        of: member,
        in: container,
        besides: "document",
        "fieldTransforms"
      )
    }
    let operation: Operation =
      switch member {
      case .update: .update(try container.decode(Document.self, forKey: .update))
      case .delete: .delete(try container.decode(DocumentName.self, forKey: .delete))
      case .verify: .verify(try container.decode(DocumentName.self, forKey: .verify))
      default: try Self.transform(container.decode(Transform.self, forKey: .transform))
      }
    self.init(
      operation,
      updateMask: try container.decodeIfPresent(FieldMask.self, forKey: .updateMask),
      updateTransforms: try container.decodeIfPresent(
        [FieldTransform].self,
        forKey: .updateTransforms
      ) ?? [],
      currentDocument: try container.decodeIfPresent(
        Precondition.self,
        forKey: .currentDocument
      )
    )
  }

  private static func transform(_ transform: Transform) -> Operation {
    .transform(transform.document, transform.fieldTransforms ?? [])
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    switch operation {
    case .update(let document): try container.encode(document, forKey: .update)
    case .delete(let name): try container.encode(name, forKey: .delete)
    case .verify(let name): try container.encode(name, forKey: .verify)
    case .transform(let name, let transforms):
      try container.encode(
        Transform(document: name, fieldTransforms: transforms),
        forKey: .transform
      )
    }
    try container.encodeIfPresent(updateMask, forKey: .updateMask)
    if !updateTransforms.isEmpty {
      try container.encode(updateTransforms, forKey: .updateTransforms)
    }
    try container.encodeIfPresent(currentDocument, forKey: .currentDocument)
  }
}

extension Precondition: Codable {
  private enum Member: String, CodingKey, CaseIterable { case exists, updateTime }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    guard container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a precondition is one of exists and updateTime"
        )
      )
    }
    if let exists = try container.decodeIfPresent(Bool.self, forKey: .exists) {
      self = .exists(exists)
    } else {
      self = .updateTime(try container.decode(Timestamp.self, forKey: .updateTime))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    switch self {
    case .exists(let exists): try container.encode(exists, forKey: .exists)
    case .updateTime(let time): try container.encode(time, forKey: .updateTime)
    }
  }
}

extension FieldTransform: Codable {
  private enum Member: String, CodingKey, CaseIterable {
    case fieldPath, setToServerValue, increment, maximum, minimum, appendMissingElements
    case removeAllFromArray
  }

  private struct Elements: Codable {
    var values: [Value]?
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    let path = try container.decode(FieldPath.self, forKey: .fieldPath)
    let present = container.allKeys.filter { $0 != .fieldPath }
    guard let member = present.first, present.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a field transform has exactly one operation"
        )
      )
    }
    func value() throws -> Value { try container.decode(Value.self, forKey: member) }
    func elements() throws -> [Value] {
      try decoder.refuseUnknownMembers(of: member, in: container, besides: "values")
      return try container.decode(Elements.self, forKey: member).values ?? []
    }
    switch member {
    case .setToServerValue:
      self.init(
        path,
        .setToServerValue(try container.decode(ServerValue.self, forKey: member))
      )
    case .increment: self.init(path, .increment(try value()))
    case .maximum: self.init(path, .maximum(try value()))
    case .minimum: self.init(path, .minimum(try value()))
    case .appendMissingElements: self.init(path, .appendMissingElements(try elements()))
    case .removeAllFromArray, .fieldPath:
      self.init(path, .removeAllFromArray(try elements()))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(fieldPath, forKey: .fieldPath)
    switch operation {
    case .setToServerValue(let value): try container.encode(value, forKey: .setToServerValue)
    case .increment(let value): try container.encode(value, forKey: .increment)
    case .maximum(let value): try container.encode(value, forKey: .maximum)
    case .minimum(let value): try container.encode(value, forKey: .minimum)
    case .appendMissingElements(let values):
      try container.encode(Elements(values: values), forKey: .appendMissingElements)
    case .removeAllFromArray(let values):
      try container.encode(Elements(values: values), forKey: .removeAllFromArray)
    }
  }
}
