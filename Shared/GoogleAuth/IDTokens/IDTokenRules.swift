import Core
import Cryptography

/// The rules for the claims of a Firebase ID token.
///
/// Source: firebase.google.com/docs/auth/admin/verify-id-tokens.
struct IDTokenRules: Sendable {
  let project: String

  /// Checks the claims and returns the user's ID.
  ///
  /// - Parameter now: The time in seconds since 1970.
  /// - Throws: `UNAUTHENTICATED`, naming the first rule that is broken.
  func uid(of token: ReceivedToken, now: Int64) throws(StatusError) -> String {
    guard token["aud"] == .string(project) else { throw token.refusal("is for another project") }
    guard token["iss"] == .string("https://securetoken.google.com/\(project)") else {
      throw token.refusal("is from another issuer")
    }
    try token.checkTimes(now: now, past: "auth_time")
    guard let uid = token["sub"]?.string, CallerIdentity.isUserID(uid) else {
      throw token.refusal("names no user")
    }
    return uid
  }
}
