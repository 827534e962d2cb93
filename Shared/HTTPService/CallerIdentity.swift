package import Platform

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

  /// A caller as emulators take one: read, not verified.
  package init(_ token: UnsignedToken) { self.init(uid: token.uid, claims: token.claims) }
}
