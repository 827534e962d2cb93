import Cryptography

/// The registration token of a device.
package enum DeviceToken {
  /// Returns the text that replaces a token on disk. The text can't be used as a token; equal
  /// tokens have equal texts.
  package static func placeholder(for token: String) -> String {
    "token-\(SHA256.hexadecimal(token.utf8).prefix(12))"
  }
}
