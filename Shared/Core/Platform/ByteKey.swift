/// A string that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift's `String` compares and hashes in Unicode's normalization form C: a run of n combining marks
/// out of canonical order costs n², and both encodings of é are one key. Text from outside that is a
/// key, a member of a set or an identifier is a `ByteKey`. It costs its length, and it tells the two
/// encodings apart, as Firestore does.
package struct ByteKey: Sendable {
  package let string: String
  package var utf8: String.UTF8View { string.utf8 }

  package init(_ string: String) { self.string = string }
  package init(_ string: Substring) { self.string = String(string) }
}

extension ByteKey: Hashable, Comparable {
  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.string.hasSameBytes(as: right.string)
  }

  package func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 has this byte: it keeps ("ab", "c") and ("a", "bc") apart.
    hasher.combine(0xFF as UInt8)
  }

  package static func < (left: ByteKey, right: ByteKey) -> Bool {
    var (left, right) = (left.string, right.string)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let start = left.baseAddress, let other = right.baseAddress else {
          return left.count < right.count
        }
        let order = memcmp(start, other, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }
}

extension ByteKey: Codable, CodingKeyRepresentable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package var codingKey: any CodingKey { Name(stringValue: string) }
  package init?(codingKey: some CodingKey) { string = codingKey.stringValue }
  package init(from decoder: any Decoder) throws { string = try String(from: decoder) }
  package func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}

extension ByteKey: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) { string = value }
  package var description: String { string }
}

extension RawRepresentable where RawValue == String {
  /// The case of this name, found by its bytes.
  package init?(_ name: ByteKey) {
    // A name of ours is ASCII, and `==` of two such strings compares their bytes.
    guard name.string.isASCII else { return nil }
    self.init(rawValue: name.string)
  }
}

extension Dictionary where Key == ByteKey {
  /// A dictionary of members whose names come from us; of those with one name the last counts.
  package init(_ members: some Sequence<(key: String, value: Value)>) {
    self.init(members.map { (ByteKey($0.key), $0.value) }) { _, last in last }
  }

  /// The same of pairs.
  package init(_ members: some Sequence<(String, Value)>) {
    self.init(members.map { (ByteKey($0.0), $0.1) }) { _, last in last }
  }

  package subscript(key: String) -> Value? {
    get { self[ByteKey(key)] }
    set { self[ByteKey(key)] = newValue }
    _modify { yield &self[ByteKey(key)] }
  }
}

extension String {
  /// A Boolean value that indicates whether all characters are ASCII: two such strings are equal if
  /// their bytes are, and are compared as fast.
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// A Boolean value that indicates whether the bytes of another string are in this one.
  package func hasBytes(of other: String) -> Bool {
    var (text, part) = (self, other)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        guard let partStart = part.baseAddress, let first = part.first else { return true }
        guard let start = text.baseAddress else { return false }
        var rest = text[...]
        while let index = rest.firstIndex(of: first), text.count - index >= part.count {
          if memcmp(start + index, partStart, part.count) == 0 { return true }
          rest = text[(index + 1)...]
        }
        return false
      }
    }
  }

  /// A Boolean value that indicates whether two strings have the same UTF-8 bytes.
  ///
  /// It costs their length, where `==` normalizes both.
  package func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard left.count == right.count, let start = left.baseAddress,
          let other = right.baseAddress
        else { return left.count == right.count }
        return memcmp(start, other, left.count) == 0
      }
    }
  }
}
