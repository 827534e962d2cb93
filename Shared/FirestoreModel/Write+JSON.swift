package import JSONCoding
import Platform

extension Write: Decodable, JSONEncodable {
  private enum Member: String, CodingKey, CaseIterable {
    case update, delete, verify, transform, updateMask, updateTransforms, currentDocument
  }

  private struct Transform: Decodable {
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

  package var json: JSONValue {
    var members: JSONObject = [:]
    switch operation {
    case .update(let document): members[Member.update.rawValue] = document.json
    case .delete(let name): members[Member.delete.rawValue] = name.json
    case .verify(let name): members[Member.verify.rawValue] = name.json
    case .transform(let name, let transforms):
      members[Member.transform.rawValue] = .object([
        "document": name.json, "fieldTransforms": .array(transforms.map(\.json)),
      ])
    }
    members[Member.updateMask.rawValue] = updateMask?.json
    if !updateTransforms.isEmpty {
      members[Member.updateTransforms.rawValue] = .array(updateTransforms.map(\.json))
    }
    members[Member.currentDocument.rawValue] = currentDocument?.json
    return .object(members)
  }
}

extension Precondition: Decodable, JSONEncodable {
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

  package var json: JSONValue {
    switch self {
    case .exists(let exists): .object(["exists": .boolean(exists)])
    case .updateTime(let time): .object(["updateTime": time.json])
    }
  }
}

extension FieldTransform: Decodable, JSONEncodable {
  private enum Member: String, CodingKey, CaseIterable {
    case fieldPath, setToServerValue, increment, maximum, minimum, appendMissingElements
    case removeAllFromArray
  }

  private struct Elements: Decodable {
    var values: [Value]?
  }

  package init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: Member.self)
    let container = try decoder.container(keyedBy: Member.self)
    let path = try container.decode(FieldPath.self, forKey: .fieldPath)
    let present = Member.allCases.filter { $0 != .fieldPath && container.contains($0) }
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

  package var json: JSONValue {
    let (member, content): (Member, JSONValue) =
      switch operation {
      case .setToServerValue(let value): (.setToServerValue, .string(value.rawValue))
      case .increment(let value): (.increment, value.json)
      case .maximum(let value): (.maximum, value.json)
      case .minimum(let value): (.minimum, value.json)
      case .appendMissingElements(let values): (.appendMissingElements, Self.json(values))
      case .removeAllFromArray(let values): (.removeAllFromArray, Self.json(values))
      }
    return .object(["fieldPath": fieldPath.json, ByteKey(member.rawValue): content])
  }

  private static func json(_ values: [Value]) -> JSONValue {
    .object(["values": .array(values.map(\.json))])
  }
}
