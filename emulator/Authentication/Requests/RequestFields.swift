import Core

/// The fields of a JSON object in a request.
///
/// Names may be in snake case or camel case. A field that is null counts as missing. A number is
/// accepted in place of a string.
struct RequestFields: Sendable {
  private let members: JSONObject
  /// The path of the object in the body, for errors.
  private let path: String

  init(_ members: JSONObject, path: String = "") {
    self.path = path
    guard members.keys.contains(where: { $0.utf8.contains(UInt8(ascii: "_")) }) else {
      self.members = members
      return
    }
    var renamed = members
    for (name, value) in members {
      let camelCase = Self.camelCase(name.string)
      // If both spellings occur, the one in camel case counts.
      if members[camelCase] == nil { renamed[camelCase] = value }
    }
    self.members = renamed
  }

  /// Returns a name in camel case: `local_id` becomes `localId`.
  private static func camelCase(_ name: String) -> String {
    var result: [UInt8] = []
    var isAfterUnderscore = false
    for byte in name.utf8 {
      if byte == UInt8(ascii: "_"), !result.isEmpty {
        isAfterUnderscore = true
      } else if isAfterUnderscore, (0x61...0x7A).contains(byte) {
        result.append(byte - 0x20)
        isAfterUnderscore = false
      } else {
        result.append(byte)
        isAfterUnderscore = false
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func value(_ name: String) -> JSONValue? {
    guard let value = members[name], !value.isNull else { return nil }
    return value
  }

  private func mismatch(_ name: String, _ type: String) -> AuthenticationError {
    .invalidPayload("\(path)/\(name) must be \(type)")
  }

  /// Returns whether the object has a field.
  func has(_ name: String) -> Bool { value(name) != nil }

  /// Returns the text of a field, or `nil` if it is missing.
  func string(_ name: String) throws(AuthenticationError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = Self.text(value) else { throw mismatch(name, "string") }
    return text
  }

  /// Returns the text of a field, or `nil` if it is missing or empty.
  func text(_ name: String) throws(AuthenticationError) -> String? {
    guard let text = try string(name), !text.isEmpty else { return nil }
    return text
  }

  func boolean(_ name: String) throws(AuthenticationError) -> Bool? {
    guard let value = value(name) else { return nil }
    switch value {
    case .boolean(let boolean): return boolean
    // Google's parser takes the words as texts, too, and some clients send them.
    case .string("true"): return true
    case .string("false"): return false
    default: throw mismatch(name, "boolean")
    }
  }

  /// Returns a whole number, which may also be written as a string.
  func integer(_ name: String) throws(AuthenticationError) -> Int64? {
    guard let text = try text(name) else { return nil }
    guard let integer = Int64(text) else { throw mismatch(name, "integer") }
    return integer
  }

  /// Returns the texts of an array. It is empty if the field is missing.
  func strings(_ name: String) throws(AuthenticationError) -> [String] {
    var texts: [String] = []
    for (index, value) in try array(name).enumerated() {
      guard let text = Self.text(value) else { throw mismatch("\(name)/\(index)", "string") }
      texts.append(text)
    }
    return texts
  }

  /// Returns the objects of an array. It is empty if the field is missing.
  func objects(_ name: String) throws(AuthenticationError) -> [RequestFields] {
    var objects: [RequestFields] = []
    for (index, value) in try array(name).enumerated() {
      guard let members = value.object else { throw mismatch("\(name)/\(index)", "object") }
      objects.append(RequestFields(members, path: "\(path)/\(name)/\(index)"))
    }
    return objects
  }

  func object(_ name: String) throws(AuthenticationError) -> RequestFields? {
    guard let value = value(name) else { return nil }
    guard let members = value.object else { throw mismatch(name, "object") }
    return RequestFields(members, path: "\(path)/\(name)")
  }

  private func array(_ name: String) throws(AuthenticationError) -> [JSONValue] {
    guard let value = value(name) else { return [] }
    guard let values = value.array else { throw mismatch(name, "array") }
    return values
  }

  /// Returns the text of a string or number, or `nil` for any other value.
  static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): Int64(exactly: number).map { String($0) } ?? String(number)
    case .null, .boolean, .array, .object: nil
    }
  }
}
