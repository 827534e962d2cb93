/// A string that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Swift's `String` compares and hashes in Unicode's normalization form C. So n combining marks out
/// of canonical order take n² time, and the two encodings of é are the same key. Use `ByteKey` for
/// external text that is an identifier, a dictionary's key or an element of a set. It takes linear
/// time, and distinguishes the two encodings, as Firestore does.
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
    // This byte doesn't occur in UTF-8. It marks the string's end, so that ("ab", "c") and ("a",
    // "bc") have different hashes.
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
  /// Creates the enum case whose raw value has the same bytes as a name, or returns `nil` if there
  /// is none.
  package init?(_ name: ByteKey) {
    // Raw values are ASCII, for which `==` compares bytes.
    guard name.string.isASCII else { return nil }
    self.init(rawValue: name.string)
  }
}

extension Dictionary where Key == ByteKey {
  /// Creates a dictionary from keys and values. If a key repeats, the last value counts.
  package init(_ members: some Sequence<(key: String, value: Value)>) {
    self.init(members.map { (ByteKey($0.key), $0.value) }) { _, last in last }
  }

  /// Creates a dictionary from pairs of key and value. If a key repeats, the last value counts.
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
  /// A Boolean value that indicates whether all characters are ASCII. For such strings `==`
  /// compares bytes and takes linear time.
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// Returns whether this string contains the bytes of another one.
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

  /// Returns whether two strings have the same UTF-8 bytes.
  ///
  /// This takes linear time. `==` takes longer, because it normalizes both strings.
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
