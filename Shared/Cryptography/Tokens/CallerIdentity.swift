package import Core

/// The identity of a caller, from a token.
package struct CallerIdentity: Sendable {
  /// The caller's user ID.
  package var uid: String
  /// All claims of the token: a JSON object, byte for byte as sent.
  package var claims: Data

  package init(uid: String, claims: Data) {
    self.uid = uid
    self.claims = claims
  }

  /// Returns whether a text can be a user ID. Firebase's limit is 128 UTF-16 code units, as its own
  /// libraries count.
  package static func isUserID(_ text: String) -> Bool {
    !text.isEmpty && text.utf16.count <= 128
  }

  /// Creates an identity from an unverified token, for emulators.
  package init(_ token: UnsignedToken) { self.init(uid: token.uid, claims: token.claims) }
}
