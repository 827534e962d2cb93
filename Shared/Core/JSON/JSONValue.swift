/// Any JSON, for what has no type of its own, and between bytes and types that have one.
///
/// Of members with the same name the last counts, as in JavaScript.
///
/// Two texts are equal if their bytes are.
package enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// With a fraction, an exponent or more than an integer can hold; -0 as well.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// - Throws: `INVALID_ARGUMENT` if it isn't JSON in UTF-8, is beyond its limits, or has a number
  ///   that no Double comes near.
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

/// An object's members by name, told apart by their bytes.
package typealias JSONObject = [ByteKey: JSONValue]

extension JSONObject {
  /// The members that are texts.
  package var strings: [String: String] {
    let texts = compactMap { name, value in value.string.map { (name.string, $0) } }
    return [String: String](texts) { first, _ in first }
  }

  /// The first name in the order of bytes that isn't one of the known ones.
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
  /// The JSON of a value, to be written: a number that is whole is still `number` if it was a Double.
  ///
  /// - Throws: what the type throws, and `EncodingError` if it encodes nothing.
  package init(of value: some Encodable) throws { self = try JSONTreeEncoder.encode(value) }

  /// - Throws: from a decoder of anything but JSON, or not of ours.
  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONTreeDecoder else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not from this decoder")
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
