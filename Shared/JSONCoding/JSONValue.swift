package import Platform
package import RPCStatus

/// Any JSON, for what has no type of its own, and between bytes and types that have one.
///
/// Of members with the same name the last counts, as in JavaScript.
package enum JSONValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// With a fraction, an exponent or more than an integer can hold; -0 as well.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

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

  package var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue: Codable {
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
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let boolean): try container.encode(boolean)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
