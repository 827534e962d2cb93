import Core

/// The key of a node below its parent, in the order of the Realtime Database.
///
/// Keys that are 32-bit integers come first, by their values, and then by their lengths, as in `1`
/// and `01`. The others follow by their UTF-16 code units, as JavaScript and Java compare them, and
/// so do `-0` and `00`, which have the same value and length.
package struct NodeKey: Sendable {
  /// The most bytes of a key.
  static let mostBytes = 768

  package let string: String
  /// The key's value as an integer, or the largest one if the key isn't a 32-bit integer.
  private let integer: Int64

  init(unchecked string: String) {
    self.string = string
    integer = Self.integer(string) ?? .max
  }

  /// Creates a key.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the text is empty, too long, or has a character that keys
  ///   can't have.
  init(_ string: String) throws(StatusError) {
    guard !string.isEmpty else { throw StatusError(.invalidArgument, "a key is empty") }
    guard string.utf8.count <= Self.mostBytes else {
      throw StatusError(
        .invalidArgument,
        "a key has \(string.utf8.count) bytes; the limit is \(Self.mostBytes)"
      )
    }
    if let scalar = string.unicodeScalars.first(where: { Self.isBarred($0) }) {
      throw StatusError(
        .invalidArgument,
        "the key \(quoted(string)) has the character \(quoted(String(scalar))): keys can't have "
          + "control characters or . $ # [ ] /"
      )
    }
    self.init(unchecked: string)
  }

  private static func isBarred(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "$", "#", "[", "]", "/": true
    default: scalar.value < 0x20 || scalar.value == 0x7F
    }
  }

  /// Returns the value of a key that has at most ten digits after leading zeros, and fits into 32
  /// bits.
  private static func integer(_ string: String) -> Int64? {
    var digits = string.utf8[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let significant = digits.drop { $0 == 0x30 }
    guard significant.count <= 10 else { return nil }
    let value = significant.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    let signed = isNegative ? -value : value
    return Int32(exactly: signed).map(Int64.init)
  }

  /// The key as an index of a list: a whole number without a sign or leading zeros.
  var listIndex: Int? {
    guard integer != .max, string == "0" || (0x31...0x39).contains(string.utf8.first ?? 0) else {
      return nil
    }
    return Int(integer)
  }
}

extension NodeKey: Hashable, Comparable {
  package static func == (left: NodeKey, right: NodeKey) -> Bool {
    left.integer == right.integer && left.string.hasSameBytes(as: right.string)
  }

  package func hash(into hasher: inout Hasher) { ByteKey(string).hash(into: &hasher) }

  package static func < (left: NodeKey, right: NodeKey) -> Bool {
    guard left.integer == right.integer else { return left.integer < right.integer }
    if left.integer != .max, left.string.utf8.count != right.string.utf8.count {
      return left.string.utf8.count < right.string.utf8.count
    }
    return left.string.precedesInUTF16(right.string)
  }
}

extension String {
  /// Returns whether the string's UTF-16 code units come before those of another one.
  ///
  /// The order of UTF-8 bytes differs from it only where one character has four bytes, which UTF-16
  /// represents by surrogates, and the other one is after the surrogates.
  func precedesInUTF16(_ other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        for (first, second) in zip(left, right) where first != second {
          let hasSurrogate = (first >= 0xF0, second >= 0xF0)
          if first >= 0xEE, second >= 0xEE, hasSurrogate.0 != hasSurrogate.1 {
            return hasSurrogate.0
          }
          return first < second
        }
        return left.count < right.count
      }
    }
  }
}
