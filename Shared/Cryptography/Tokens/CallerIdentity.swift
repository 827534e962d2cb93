package import Core

/// The identity of a caller, as a token states it.
package struct CallerIdentity: Sendable {
  /// The caller's user ID.
  package var uid: String
  /// All claims of the token: a JSON object, byte for byte as sent.
  package var claims: Data

  package init(uid: String, claims: Data) {
    self.uid = uid
    self.claims = claims
  }

  /// Returns whether a text can be a user ID. Firebase allows at most 128 characters, which its
  /// libraries count in UTF-16 code units.
  package static func isUserID(_ text: String) -> Bool {
    !text.isEmpty && text.utf16.count <= 128
  }

  /// Creates an identity from a token that isn't verified. Only emulators may call this.
  package init(_ token: UnsignedToken) { self.init(uid: token.uid, claims: token.claims) }
}
