extension Write: Encodable {
  private enum CodingKeys: CodingKey {
    case update, delete, verify, transform, updateMask, updateTransforms, currentDocument
  }

  private struct Transform: Encodable {
    var document: DocumentName
    var fieldTransforms: [FieldTransform]
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
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

extension Precondition: Encodable {
  private enum CodingKeys: CodingKey { case exists, updateTime }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .exists(let exists): try container.encode(exists, forKey: .exists)
    case .updateTime(let time): try container.encode(time, forKey: .updateTime)
    }
  }
}

extension FieldTransform: Encodable {
  private enum CodingKeys: CodingKey {
    case fieldPath, setToServerValue, increment, maximum, minimum, appendMissingElements
    case removeAllFromArray
  }

  private struct Elements: Encodable {
    var values: [Value]
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
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
