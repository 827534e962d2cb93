/// Access to a JSON value as a Swift type.
///
/// Each function throws `DecodingError` with an empty path if the value has another type.
extension JSONValue {
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  package func asBool() throws -> Bool {
    guard case .boolean(let boolean) = self else { throw mismatch(Bool.self) }
    return boolean
  }

  package func asString() throws -> String {
    guard case .string(let string) = self else { throw mismatch(String.self) }
    return string
  }

  /// Converts the string with `parse`.
  ///
  /// - Throws: `DecodingError`. If `parse` throws a `StatusError`, its message is the reason.
  package func parsed<Value>(_ parse: (String) throws -> Value) throws -> Value {
    let text = try asString()
    do {
      return try parse(text)
    } catch let error as StatusError {
      throw DecodingError.refusal(error.message)
    }
  }

  package func asArray() throws -> [JSONValue] {
    guard case .array(let values) = self else { throw mismatch([Any].self) }
    return values
  }

  package func asObject() throws -> JSONObject {
    guard case .object(let members) = self else { throw mismatch([String: Any].self) }
    return members
  }

  package func asInteger<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let integer: Integer?
    switch self {
    case .integer(let number): integer = Integer(exactly: number)
    case .number(let number): integer = Integer(exactly: number)
    default: throw mismatch(Int.self)
    }
    guard let integer else { throw DecodingError.refusal("a number out of range") }
    return integer
  }

  package func asDouble() throws -> Double {
    switch self {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    default: throw mismatch(Double.self)
    }
  }

  func asFloat() throws -> Float {
    let number = Float(try asDouble())
    guard number.isFinite else { throw DecodingError.refusal("a number out of range") }
    return number
  }

  /// Reads a field, or returns `nil` if the field is absent or null.
  package func member<Value>(
    _ name: String,
    _ read: (JSONValue) throws -> Value
  ) throws -> Value? {
    guard let member = try asObject()[name], !member.isNull else { return nil }
    do {
      return try read(member)
    } catch let error as DecodingError {
      throw error.at([MemberName(stringValue: name)])
    }
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: [],
      debugDescription: "wrong type"
    )
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}
