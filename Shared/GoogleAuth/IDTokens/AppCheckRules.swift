import Core

/// What must be true of an App Check token's claims: that it is of one of the project's own apps.
///
/// Source: firebase.google.com/docs/app-check/custom-resource-backend.
struct AppCheckRules: Sendable {
  let projectNumber: String

  /// - Parameter now: seconds since 1970.
  /// - Throws: `UNAUTHENTICATED` by the first rule that it breaks.
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
