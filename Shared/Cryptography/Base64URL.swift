package import Platform

/// Base64 in the URL-safe alphabet without padding, as JSON Web Tokens have it (RFC 7515).
package enum Base64URL {
  package static func encode(_ data: Data) -> String {
    data.base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// nil for text that isn't base64url.
  package static func decode(_ text: some StringProtocol) -> Data? {
    var padded = String(text).replacing("-", with: "+").replacing("_", with: "/")
    while !padded.utf8.count.isMultiple(of: 4) { padded += "=" }
    return Data(base64Encoded: padded)
  }
}
