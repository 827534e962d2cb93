import Platform
package import RPCStatus

/// A type that is read from JSON itself, without the work that a decoder's containers are.
package protocol JSONDecodable: Decodable {
  /// - Parameter isStrict: whether members that it doesn't have are refused.
  init(json: JSONValue, isStrict: Bool) throws(JSONFault)
}

extension JSONDecodable {
  package init(from decoder: any Decoder) throws {
    try self.init(jsonOf: decoder)
  }

  fileprivate init(jsonOf decoder: any Decoder) throws {
    let json = try JSONValue(from: decoder)
    do throws(JSONFault) {
      try self.init(json: json, isStrict: decoder.refusesUnknownMembers)
    } catch {
      throw error.decodingError(at: decoder.codingPath)
    }
  }
}

extension JSONValue {
  /// A member; nil if there is none, or null. A fault tells its name.
  package func member<Member: JSONDecodable>(
    _ name: String,
    isStrict: Bool
  ) throws(JSONFault) -> Member? {
    guard let member = try presentMember(name) else { return nil }
    do throws(JSONFault) {
      return try Member(json: member, isStrict: isStrict)
    } catch {
      throw error.at(name)
    }
  }

  /// A member that must be there.
  package func requiredMember<Member: JSONDecodable>(
    _ name: String,
    isStrict: Bool
  ) throws(JSONFault) -> Member {
    guard let member = try asMembers()[name] else { throw JSONFault(.missing(name)) }
    do throws(JSONFault) {
      return try Member(json: member, isStrict: isStrict)
    } catch {
      throw error.at(name)
    }
  }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    guard case .array(let values) = json else { throw JSONFault(.wrongType([Any].self)) }
    self = []
    reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(JSONFault) {
        append(try Element(json: value, isStrict: isStrict))
      } catch {
        throw error.at(String(index))
      }
    }
  }
}

extension String: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) { self = try json.asText() }
}

extension Int: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    self = Int(try json.asInteger())
  }
}

extension Int32: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    guard let number = Int32(exactly: try json.asInteger()) else {
      throw JSONFault(.refused("a number out of range"))
    }
    self = number
  }
}

extension Bool: JSONDecodable {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    guard case .boolean(let boolean) = json else { throw JSONFault(.wrongType(Bool.self)) }
    self = boolean
  }
}

extension JSONDecodable where Self: RawRepresentable, RawValue == String {
  package init(json: JSONValue, isStrict: Bool) throws(JSONFault) {
    guard let value = Self(ByteKey(try json.asText())) else {
      throw JSONFault(.refused("not one of the known names"))
    }
    self = value
  }

  /// Else it would be the standard library's for such types.
  package init(from decoder: any Decoder) throws {
    try self.init(jsonOf: decoder)
  }
}

extension StatusCode: JSONDecodable {}

/// A type that makes its JSON itself, without the work that an encoder's containers are.
package protocol JSONEncodable: Encodable {
  var json: JSONValue { get }
}

extension JSONValue {
  /// The JSON of a value, to be written: a number that is whole is still `number` if it was a Double.
  ///
  /// - Throws: what the type throws, and `EncodingError` if it encodes nothing.
  package init(of value: some Encodable) throws {
    self = try JSONTreeEncoder.encode(value)
  }
}

extension JSONEncodable {
  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
