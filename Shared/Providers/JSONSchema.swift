import JSONCoding
package import Platform
package import RPCStatus

/// The shape a model's answer must have: sent to the model as a JSON Schema, and held against what
/// comes back.
///
/// It has what OpenAI's strict mode takes: every member is required and no other is allowed.
/// Lengths of strings are checked here only, since not every provider knows `maxLength`.
/// Source: platform.openai.com/docs/guides/structured-outputs.
package indirect enum JSONSchema: Sendable, Hashable {
  /// - Parameter maximumLength: in Unicode scalars.
  case string(maximumLength: Int, orNull: Bool = false)
  case choice([String])
  case boolean
  case array(of: JSONSchema, count: ClosedRange<Int>)
  case object([String: JSONSchema])

  /// The value of JSON that has this shape, written anew: members sorted, nothing else in it.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the place and what is wrong there. Nothing of the value
  ///   itself is repeated.
  package func check(_ data: Data) throws(StatusError) -> Data {
    let value = try JSON.decode(
      ConformingValue.self,
      from: data,
      configuration: self,
      what: "the answer"
    )
    return try value.encoded()
  }
}

extension JSONSchema: Encodable {
  private enum Member: String, CodingKey {
    case type, `enum`, items, minItems, maxItems, properties, required, additionalProperties
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    switch self {
    case .string(_, let orNull):
      if orNull {
        try container.encode(["string", "null"], forKey: .type)
      } else {
        try container.encode("string", forKey: .type)
      }
    case .choice(let values):
      try container.encode("string", forKey: .type)
      try container.encode(values, forKey: .enum)
    case .boolean: try container.encode("boolean", forKey: .type)
    case .array(let element, let count):
      try container.encode("array", forKey: .type)
      try container.encode(element, forKey: .items)
      try container.encode(count.lowerBound, forKey: .minItems)
      try container.encode(count.upperBound, forKey: .maxItems)
    case .object(let members):
      try container.encode("object", forKey: .type)
      try container.encode(members, forKey: .properties)
      try container.encode(members.keys.sorted(), forKey: .required)
      try container.encode(false, forKey: .additionalProperties)
    }
  }
}

/// A value decoded along a schema: what doesn't conform can't be decoded.
indirect enum ConformingValue: Sendable, Hashable {
  case null
  case string(String)
  case boolean(Bool)
  case array([ConformingValue])
  case object([String: ConformingValue])

  func encoded() throws(StatusError) -> Data {
    do {
      return try JSON.encode(self)
    } catch {
      throw StatusError(.internal, "an answer can't be encoded")
    }
  }
}

extension ConformingValue: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration schema: JSONSchema) throws {
    func refusal(_ reason: String) -> DecodingError {
      .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
    }
    switch schema {
    case .string(let maximumLength, let orNull):
      let container = try decoder.singleValueContainer()
      if orNull, container.decodeNil() {
        self = .null
        return
      }
      let text = try container.decode(String.self)
      guard text.unicodeScalars.count <= maximumLength else {
        throw refusal("longer than \(maximumLength) characters")
      }
      self = .string(text)
    case .choice(let values):
      let text = try decoder.singleValueContainer().decode(String.self)
      guard values.contains(text) else {
        throw refusal("none of \(values.joined(separator: ", "))")
      }
      self = .string(text)
    case .boolean: self = .boolean(try decoder.singleValueContainer().decode(Bool.self))
    case .array(let element, let count):
      var container = try decoder.unkeyedContainer()
      var values: [ConformingValue] = []
      while !container.isAtEnd, values.count < count.upperBound {
        values.append(try container.decode(ConformingValue.self, configuration: element))
      }
      guard container.isAtEnd, count.contains(values.count) else {
        throw refusal("not \(count.lowerBound) to \(count.upperBound) elements")
      }
      self = .array(values)
    case .object(let members):
      let container = try decoder.container(keyedBy: MemberName.self)
      guard container.allKeys.allSatisfy({ members[$0.stringValue] != nil }) else {
        throw refusal("a member that the schema doesn't have")
      }
      var values: [String: ConformingValue] = [:]
      for (name, schema) in members.sorted(by: { $0.key < $1.key }) {
        let key = MemberName(stringValue: name)
        // A member that isn't there would be decoded as null.
        guard container.contains(key) else {
          throw DecodingError.keyNotFound(
            key,
            .init(codingPath: decoder.codingPath, debugDescription: "missing")
          )
        }
        values[name] = try container.decode(
          ConformingValue.self,
          forKey: key,
          configuration: schema
        )
      }
      self = .object(values)
    }
  }
}

extension ConformingValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .string(let text): try container.encode(text)
    case .boolean(let boolean): try container.encode(boolean)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
