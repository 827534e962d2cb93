package import Core

/// Base64 in the URL-safe alphabet without padding, as used by JSON Web Tokens (RFC 7515).
package enum Base64URL {
  package static func encode(_ data: Data) -> String {
    let base64 = data.base64EncodedString().utf8.lazy.filter { $0 != padding }
    return String(decoding: base64.map(urlSafe), as: UTF8.self)
  }

  /// Decodes a text, or returns `nil` if `encode` can't have produced it.
  ///
  /// Other texts are refused, because the last character may have unused bits. If they could have
  /// any value, the same token could be written in several ways.
  package static func decode(_ text: some StringProtocol) -> Data? {
    guard text.utf8.allSatisfy(isInAlphabet) else { return nil }
    var base64 = text.utf8.map(standard)
    while !base64.count.isMultiple(of: 4) { base64.append(padding) }
    guard let data = Data(base64Encoded: Data(base64)),
      encode(data).utf8.elementsEqual(text.utf8)
    else { return nil }
    return data
  }

  private static let padding = UInt8(ascii: "=")

  private static func urlSafe(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: byte
    }
  }

  private static func standard(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: byte
    }
  }

  private static func isInAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
