package import Platform

/// The user a call comes from, by a token that holds.
package struct VerifiedCaller: Sendable {
  /// Their user id.
  package var uid: String
  /// All that the token says: a JSON object, its bytes as they were sent. No object in it has two
  /// members of one name.
  package var claims: Data

  package init(uid: String, claims: Data) {
    self.uid = uid
    self.claims = claims
  }
}
