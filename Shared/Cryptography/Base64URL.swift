package import Core

/// Base64 in the URL-safe alphabet without padding, as used by JSON Web Tokens (RFC 7515).
package enum Base64URL {
  package static func encode(_ data: Data) -> String {
    data.base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Decodes a text, or returns `nil` if `encode` can't have produced it.
  ///
  /// Other texts are refused, because the last character may have unused bits. If they could have
  /// any value, the same token could be written in several ways.
  package static func decode(_ text: some StringProtocol) -> Data? {
    guard text.utf8.allSatisfy(isInAlphabet) else { return nil }
    var padded = String(text).replacing("-", with: "+").replacing("_", with: "/")
    while !padded.utf8.count.isMultiple(of: 4) { padded += "=" }
    guard let data = Data(base64Encoded: padded), encode(data) == text else { return nil }
    return data
  }

  private static func isInAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
