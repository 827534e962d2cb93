/// The outcome of the deletion of a user's account. Its raw value is for results.
package enum AccountDeletion: String, Sendable, Encodable {
  case deleted
  /// There is no such account. An earlier run may have deleted it.
  case absent
  /// The project has no Authentication: it was never set up, or its API isn't enabled. So nobody
  /// can sign in to any account.
  case noAuthentication
}
