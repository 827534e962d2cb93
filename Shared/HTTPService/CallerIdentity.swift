package import Core

/// Who calls, as a token says it.
package struct CallerIdentity: Sendable {
  /// Their user id.
  package var uid: String
  /// All that the token says, a JSON object, its bytes as they were sent.
  package var claims: Data

  package init(uid: String, claims: Data) {
    self.uid = uid
    self.claims = claims
  }

  /// Returns a Boolean value that indicates whether a text can be a user id. Firebase's limit is 128,
  /// in UTF-16 as its own libraries count.
  package static func isUserID(_ text: String) -> Bool {
    !text.isEmpty && text.utf16.count <= 128
  }

  /// A caller as emulators take one: read, not verified.
  package init(_ token: UnsignedToken) { self.init(uid: token.uid, claims: token.claims) }
}
