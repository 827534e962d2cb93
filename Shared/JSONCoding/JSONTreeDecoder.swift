import Platform

/// Decodes a type from JSON that has been parsed.
///
/// Foundation's JSONDecoder does the same with some three times the work.
final class JSONTreeDecoder: Decoder {
  let value: JSONValue
  let userInfo: [CodingUserInfoKey: Any]
  /// Where it stands: in which other, by what name.
  private let place: (parent: JSONTreeDecoder, key: any CodingKey)?

  init(
    _ value: JSONValue,
    userInfo: [CodingUserInfoKey: Any] = [:],
    at place: (parent: JSONTreeDecoder, key: any CodingKey)? = nil
  ) {
    self.value = value
    self.userInfo = userInfo
    self.place = place
  }

  /// Walked only when it is asked for: mostly there is nothing to complain of.
  var codingPath: [any CodingKey] {
    place.map { $0.parent.codingPath + [$0.key] } ?? []
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(Members<Key>(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw mismatch([Any].self) }
    return Elements(decoder: self, values: values)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  fileprivate func child(_ value: JSONValue, _ key: any CodingKey) -> JSONTreeDecoder {
    JSONTreeDecoder(value, userInfo: userInfo, at: (self, key))
  }

  // MARK: One value

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "another type was expected"
    )
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func isOutOfRange() -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: "a number out of range"))
  }

  fileprivate func boolean() throws -> Bool {
    guard case .boolean(let boolean) = value else { throw mismatch(Bool.self) }
    return boolean
  }

  fileprivate func string() throws -> String {
    guard case .string(let string) = value else { throw mismatch(String.self) }
    return string
  }

  fileprivate func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws -> Integer {
    let integer: Integer?
    switch value {
    case .integer(let number): integer = Integer(exactly: number)
    case .number(let number): integer = Integer(exactly: number)
    default: throw mismatch(Int.self)
    }
    guard let integer else { throw isOutOfRange() }
    return integer
  }

  fileprivate func double() throws -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    default: throw mismatch(Double.self)
    }
  }

  fileprivate func float() throws -> Float {
    let number = Float(try double())
    guard number.isFinite else { throw isOutOfRange() }
    return number
  }
}

extension JSONTreeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try boolean() }
  func decode(_ type: String.Type) throws -> String { try string() }
  func decode(_ type: Double.Type) throws -> Double { try double() }
  func decode(_ type: Float.Type) throws -> Float { try float() }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// An object's members.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONTreeDecoder
  let members: JSONObject

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0.string) } }
  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func member(_ key: Key) throws -> JSONTreeDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "a member is missing")
      )
    }
    return decoder.child(value, key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).boolean() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

  private func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type,
    _ key: Key
  ) throws -> Integer {
    try member(key).integer(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: member(key))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { superDecoder(at: MemberName(stringValue: "super")) }
  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

  /// Of a member that is missing it decodes null.
  private func superDecoder(at key: some CodingKey) -> any Decoder {
    decoder.child(members[key.stringValue] ?? .null, key)
  }
}

/// An array's elements, one after the other.
private struct Elements: UnkeyedDecodingContainer {
  let decoder: JSONTreeDecoder
  let values: [JSONValue]
  private(set) var currentIndex = 0

  init(decoder: JSONTreeDecoder, values: [JSONValue]) {
    self.decoder = decoder
    self.values = values
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  /// The next element, and what to do with it; it stays the next one if that fails.
  private mutating func next<Value>(
    _ type: any Any.Type,
    _ read: (JSONTreeDecoder) throws -> Value
  ) throws -> Value {
    let key = Position(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        .init(codingPath: codingPath + [key], debugDescription: "the array has no more")
      )
    }
    let value = try read(decoder.child(values[currentIndex], key))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.boolean() } }
  mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  private mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws -> Integer {
    try next(type) { try $0.integer(type) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try Value(from: $0) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next([String: Any].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next([Any].self) { $0 } }
}

/// An element's place, from 0.
struct Position: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { String(index) }

  init(intValue: Int) { index = intValue }
  init?(stringValue: String) { nil }
}
