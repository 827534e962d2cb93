package import Core

/// The shape of a model's answer, sent to the model as a JSON Schema and used to check the answer.
///
/// The schema is in the subset of OpenAI's strict mode: every field is required and no other field
/// is allowed. Lengths of strings are checked here and not sent, since some providers don't support
/// `maxLength`.
///
/// Source: platform.openai.com/docs/guides/structured-outputs.
package indirect enum JSONSchema: Sendable, Hashable {
  /// A string, or null if `orNull` is true.
  ///
  /// - Parameter maximumLength: the maximum length in Unicode scalars.
  case string(maximumLength: Int, orNull: Bool = false)
  case choice([String])
  case boolean
  case array(of: JSONSchema, count: ClosedRange<Int>)
  case object([String: JSONSchema])

  /// Checks a JSON text, and returns its value encoded again with sorted fields.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the place and the problem, without a quotation of the value.
  package func check(_ data: Data) throws(StatusError) -> Data {
    let what = "the answer"
    let json = try JSON.parse(data, what: what)
    return try JSON.read(json, what: what) { try JSON.encode(value(from: $0)) }
  }

  /// Returns a decoded value that conforms to the schema.
  ///
  /// - Throws: a decoding error if the value doesn't conform.
  func value(from decoder: any Decoder) throws -> JSONValue {
    switch self {
    case .string(let maximumLength, let orNull):
      if orNull, try decoder.singleValueContainer().decodeNil() { return .null }
      let text = try String(from: decoder)
      guard text.unicodeScalars.count <= maximumLength else {
        throw decoder.refusal("longer than \(maximumLength) characters")
      }
      return .string(text)
    case .choice(let values):
      let text = try String(from: decoder)
      guard values.contains(text) else {
        throw decoder.refusal("none of \(values.joined(separator: ", "))")
      }
      return .string(text)
    case .boolean: return .boolean(try Bool(from: decoder))
    case .array(let element, let count):
      var container = try decoder.unkeyedContainer()
      var values: [JSONValue] = []
      while !container.isAtEnd, values.count < count.upperBound {
        values.append(try element.value(from: container.superDecoder()))
      }
      guard container.isAtEnd, count.contains(values.count) else {
        throw decoder.refusal("not \(count.lowerBound) to \(count.upperBound) elements")
      }
      return .array(values)
    case .object(let members): return .object(try Self.members(along: members, from: decoder))
    }
  }

  private static func members(
    along schemas: [String: JSONSchema],
    from decoder: any Decoder
  ) throws -> JSONObject {
    let container = try decoder.container(keyedBy: MemberName.self)
    guard container.allKeys.allSatisfy({ schemas[$0.stringValue] != nil }) else {
      throw decoder.refusal("a field that the schema doesn't have")
    }
    var values: JSONObject = [:]
    for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
      let key = MemberName(stringValue: name)
      // A missing field would be decoded as null.
      guard container.contains(key) else {
        throw DecodingError.keyNotFound(
          key,
          .init(codingPath: decoder.codingPath, debugDescription: "missing")
        )
      }
      values[name] = try schema.value(from: container.superDecoder(forKey: key))
    }
    return values
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
