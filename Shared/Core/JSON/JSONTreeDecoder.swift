/// A decoder from `JSONValue` to `Decodable` types.
///
/// Foundation's JSONDecoder takes about three times as long.
final class JSONTreeDecoder: Decoder {
  let value: JSONValue
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// The parent decoder and the key within it, or `nil` for the outermost value.
  private let place: (parent: JSONTreeDecoder, key: any CodingKey)?

  init(_ value: JSONValue, at place: (parent: JSONTreeDecoder, key: any CodingKey)? = nil) {
    self.value = value
    self.place = place
  }

  /// The path, computed only on demand, since it is needed only for errors.
  var codingPath: [any CodingKey] {
    place.map { $0.parent.codingPath + [$0.key] } ?? []
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members<Key>(decoder: self, members: try read { try $0.asObject() }))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    Elements(decoder: self, values: try read { try $0.asArray() })
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  fileprivate func child(_ value: JSONValue, _ key: any CodingKey) -> JSONTreeDecoder {
    JSONTreeDecoder(value, at: (self, key))
  }

  private func read<Value>(_ body: (JSONValue) throws -> Value) throws -> Value {
    do {
      return try body(value)
    } catch let error as DecodingError {
      throw error.at(codingPath)
    }
  }
}

extension JSONTreeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.asBool() } }
  func decode(_ type: String.Type) throws -> String { try read { try $0.asString() } }
  func decode(_ type: Double.Type) throws -> Double { try read { try $0.asDouble() } }
  func decode(_ type: Float.Type) throws -> Float { try read { try $0.asFloat() } }

  func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
    try read { try $0.asInteger(type) }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

/// The fields of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONTreeDecoder
  let members: JSONObject

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0.string) } }
  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func value(_ key: Key) throws -> JSONValue {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "a member is missing")
      )
    }
    return value
  }

  private func read<Value>(_ key: Key, _ body: (JSONValue) throws -> Value) throws -> Value {
    let value = try value(key)
    do {
      return try body(value)
    } catch let error as DecodingError {
      throw error.at(codingPath + [key])
    }
  }

  private func member(_ key: Key) throws -> JSONTreeDecoder { decoder.child(try value(key), key) }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try read(key) { try $0.asBool() }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try read(key) { try $0.asString() }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try read(key) { try $0.asDouble() }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try read(key) { try $0.asFloat() }
  }

  func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type,
    forKey key: Key
  ) throws -> Integer {
    try read(key) { try $0.asInteger(type) }
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

  /// Returns a decoder for a field; a missing field decodes as null.
  private func superDecoder(at key: some CodingKey) -> any Decoder {
    decoder.child(members[key.stringValue] ?? .null, key)
  }
}

/// The elements of an array.
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

  /// Reads the next element, and advances only if reading succeeds.
  private mutating func next<Value>(
    _ type: any Any.Type,
    _ read: (JSONTreeDecoder) throws -> Value
  ) throws -> Value {
    let key = Position(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        .init(codingPath: codingPath + [key], debugDescription: "the array has no more elements")
      )
    }
    let value = try read(decoder.child(values[currentIndex], key))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.decode(type) } }

  mutating func decode(_ type: String.Type) throws -> String {
    try next(type) { try $0.decode(type) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try next(type) { try $0.decode(type) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try next(type) { try $0.decode(type) }
  }

  mutating func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type
  ) throws -> Integer {
    try next(type) { try $0.decode(type) }
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

/// The index of an element, from 0.
private struct Position: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { String(index) }

  init(intValue: Int) { index = intValue }
  init?(stringValue: String) { nil }
}
