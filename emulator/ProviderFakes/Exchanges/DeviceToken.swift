import Cryptography

/// The token by which FCM finds a device.
package enum DeviceToken {
  /// Returns the text that stands for a token on disk: it opens nothing, and equal tokens have the
  /// same one.
  package static func placeholder(for token: String) -> String {
    "token-\(SHA256.hexadecimal(token.utf8).prefix(12))"
  }
}
