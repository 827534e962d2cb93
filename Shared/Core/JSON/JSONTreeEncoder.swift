/// An encoder from `Encodable` types to `JSONValue`.
final class JSONTreeEncoder: Encoder {
  /// The kind of content encoded so far. Nested containers are inserted when `result` is read.
  private enum Content {
    case nothing
    case value(JSONValue)
    case array
    case object
  }

  fileprivate enum Place {
    case element(Int)
    case member(String)
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var content = Content.nothing
  fileprivate private(set) var elements: [JSONValue] = []
  private var members: JSONObject = [:]
  private var nested: [(place: Place, encoder: JSONTreeEncoder)] = []

  /// Returns a value as JSON.
  ///
  /// - Throws: The type's own errors, and `EncodingError` if it encodes nothing.
  static func encode(_ value: some Encodable) throws -> JSONValue {
    let encoder = JSONTreeEncoder()
    try value.encode(to: encoder)
    if case .nothing = encoder.content {
      throw EncodingError.invalidValue(
        value,
        .init(codingPath: [], debugDescription: "nothing was encoded")
      )
    }
    return encoder.result
  }

  private var result: JSONValue {
    for (place, encoder) in nested {
      switch place {
      case .element(let index): elements[index] = encoder.result
      case .member(let name): members[name] = encoder.result
      }
    }
    return switch content {
    // A nested value that encodes nothing becomes an empty object, as in Foundation's encoder.
    case .nothing: .object([:])
    case .value(let value): value
    case .array: .array(elements)
    case .object: .object(members)
    }
  }

  func put(_ value: JSONValue) { content = .value(value) }

  fileprivate func put(_ value: JSONValue, as name: String) { members[name] = value }

  fileprivate func append(_ value: JSONValue) { elements.append(value) }

  fileprivate static func json(_ value: some Encodable) throws -> JSONValue {
    let encoder = JSONTreeEncoder()
    try value.encode(to: encoder)
    return encoder.result
  }

  /// Returns an encoder for a nested value.
  fileprivate func nested(at place: Place) -> JSONTreeEncoder {
    let encoder = JSONTreeEncoder()
    nested.append((place, encoder))
    if case .element = place { elements.append(.null) }
    return encoder
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    content = .object
    return KeyedEncodingContainer(Members<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    content = .array
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONTreeEncoder: SingleValueEncodingContainer {
  func encodeNil() { put(.null) }
  func encode(_ value: Bool) { put(.boolean(value)) }
  func encode(_ value: String) { put(.string(value)) }
  func encode(_ value: Double) { put(.number(value)) }
  func encode(_ value: Float) { put(JSONValue(value)) }
  func encode(_ value: some FixedWidthInteger & Encodable) { put(JSONValue(value)) }
  func encode(_ value: some Encodable) throws { put(try Self.json(value)) }
}

extension JSONValue {
  fileprivate init(_ integer: some FixedWidthInteger) {
    self = Int64(exactly: integer).map(JSONValue.integer) ?? .number(Double(integer))
  }

  /// Creates a number from the Float's shortest decimal text. A direct conversion to Double would
  /// turn 0.1 into 0.10000000149011612.
  fileprivate init(_ float: Float) { self = .number(Double(float.description) ?? Double(float)) }
}

/// The fields of an object.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONTreeEncoder
  var codingPath: [any CodingKey] { [] }

  private func put(_ value: JSONValue, _ key: Key) { encoder.put(value, as: key.stringValue) }

  func encodeNil(forKey key: Key) { put(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { put(.boolean(value), key) }
  func encode(_ value: String, forKey key: Key) { put(.string(value), key) }
  func encode(_ value: Double, forKey key: Key) { put(.number(value), key) }
  func encode(_ value: Float, forKey key: Key) { put(JSONValue(value), key) }
  func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) {
    put(JSONValue(value), key)
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    put(try JSONTreeEncoder.json(value), key)
  }

  private func nested(_ name: String) -> JSONTreeEncoder { encoder.nested(at: .member(name)) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key.stringValue).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested("super") }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }
}

/// The elements of an array.
private struct Elements: UnkeyedEncodingContainer {
  let encoder: JSONTreeEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { encoder.elements.count }

  func encodeNil() { encoder.append(.null) }
  func encode(_ value: Bool) { encoder.append(.boolean(value)) }
  func encode(_ value: String) { encoder.append(.string(value)) }
  func encode(_ value: Double) { encoder.append(.number(value)) }
  func encode(_ value: Float) { encoder.append(JSONValue(value)) }
  func encode(_ value: some FixedWidthInteger & Encodable) { encoder.append(JSONValue(value)) }
  func encode(_ value: some Encodable) throws { encoder.append(try JSONTreeEncoder.json(value)) }

  private func nested() -> JSONTreeEncoder { encoder.nested(at: .element(count)) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }
}
