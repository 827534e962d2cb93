/// Percent-encoding for URLs, forms and header fields.
package enum PercentEncoding {
  /// Percent-encodes everything but the unreserved characters of RFC 3986 (letters, digits,
  /// `-._~`).
  ///
  /// The result is valid in a path segment and in a query's name or value. A URL can't contain the
  /// segments `.` and `..`, so refuse them before building a path from external text.
  package static func encode(_ text: String) -> String {
    encode(text) { isAlphanumeric($0) || "-._~".utf8.contains($0) }
  }

  /// Returns a query without its question mark: encoded `name=value` pairs joined by `&`.
  package static func query(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }

  /// Returns the body of an application/x-www-form-urlencoded request.
  ///
  /// As in the WHATWG URL standard, a space becomes `+`, and only letters, digits and `*-._` stay.
  package static func form(_ fields: [(name: String, value: String)]) -> String {
    func encoded(_ text: String) -> String {
      encode(text) { isAlphanumeric($0) || " *-._".utf8.contains($0) }
        .replacing(" ", with: "+")
    }
    return fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }

  /// Percent-encodes the UTF-8 bytes for which `isKept` returns `false`.
  package static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    // Most texts need no encoding.
    if text.utf8.allSatisfy(isKept) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isKept(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
