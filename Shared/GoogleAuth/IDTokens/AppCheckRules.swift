import Core

/// The rules for the claims of an App Check token. A token that meets them is from an app of the
/// project.
///
/// Source: firebase.google.com/docs/app-check/custom-resource-backend.
struct AppCheckRules: Sendable {
  let projectNumber: String

  /// Checks the claims.
  ///
  /// - Parameter now: The time in seconds since 1970.
  /// - Throws: `UNAUTHENTICATED`, naming the first rule that is broken.
  func check(_ token: ReceivedToken, now: Int64) throws(StatusError) {
    guard token["aud"]?.array?.contains(.string("projects/\(projectNumber)")) == true else {
      throw token.refusal("is for another project")
    }
    guard token["iss"] == .string("https://firebaseappcheck.googleapis.com/\(projectNumber)") else {
      throw token.refusal("is from another issuer")
    }
    try token.checkTimes(now: now)
    guard let app = token["sub"]?.string, !app.isEmpty else { throw token.refusal("names no app") }
  }
}
