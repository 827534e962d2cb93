/// A JSON value.
///
/// If an object repeats a field, the last value counts, as in JavaScript. Strings are compared by
/// their UTF-8 bytes.
package enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number that has a fraction or an exponent, doesn't fit into an `Int64`, or is -0.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// Creates a value by parsing JSON.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the data isn't JSON in UTF-8, exceeds the limits, or has a
  ///   number outside the range of Double.
  package init(parsing data: Data, limits: JSONLimits = JSONLimits()) throws(StatusError) {
    do throws(JSONParser.Malformed) {
      self = try JSONParser.parse(data, limits: limits)
    } catch {
      throw StatusError(.invalidArgument, "not valid JSON")
    }
  }

  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// The fields of an object by name. Names are compared by their UTF-8 bytes.
package typealias JSONObject = [ByteKey: JSONValue]

extension JSONObject {
  /// The fields whose values are strings.
  package var strings: [String: String] {
    let texts = compactMap { name, value in value.string.map { (name.string, $0) } }
    return [String: String](texts) { first, _ in first }
  }

  /// Returns the first field name, in byte order, that isn't in `known`, or `nil` if all are.
  package func unknownName(besides known: some Sequence<String>) -> String? {
    let known = Set(known.map { ByteKey($0) })
    return keys.filter { !known.contains($0) }.min()?.string
  }
}

extension JSONValue: Hashable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .boolean(let boolean): hasher.combine(boolean)
    case .integer(let integer): hasher.combine(integer)
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combine(ByteKey(string))
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }
}

extension JSONValue: Codable {
  /// Creates a value by encoding a Swift value. A Double becomes a `number`, even if it is whole.
  ///
  /// - Throws: The type's own errors, and `EncodingError` if it encodes nothing.
  package init(of value: some Encodable) throws { self = try JSONTreeEncoder.encode(value) }

  /// Creates a copy of the decoder's value.
  ///
  /// - Throws: `DecodingError` if the decoder isn't a `JSONTreeDecoder`.
  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONTreeDecoder else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not a JSONTreeDecoder")
      )
    }
    self = decoder.value
  }

  package func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONTreeEncoder { return encoder.put(self) }
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .boolean(let boolean): try boolean.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .string(let string): try string.encode(to: encoder)
    case .array(let values): try values.encode(to: encoder)
    case .object(let members):
      var container = encoder.container(keyedBy: MemberName.self)
      for (name, value) in members {
        try container.encode(value, forKey: MemberName(stringValue: name.string))
      }
    }
  }
}
