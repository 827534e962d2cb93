import Authentication
import Core
import Cryptography

/// Tells who a request or a connection is from.
struct CallerReading: Sendable {
  let project: String
  let accounts: AccountStore

  /// Returns who has a token.
  ///
  /// - Parameters:
  ///   - token: An ID token, or the administrator's: `owner` or an access token of Google.
  ///   - override: The value of `auth` that an administrator takes on, or `nil` for none.
  /// - Throws: `UNAUTHENTICATED` if the token isn't valid.
  func caller(
    token: String,
    override: JSONValue? = nil
  ) throws(StatusError) -> DatabaseCaller {
    if token.isOfAdministrator {
      return override.map { .client($0) } ?? .administrator
    }
    let user = try UnsignedToken(token)
    try accounts.checkOfAnyDemoProject(user, project: project)
    return .client(Self.auth(of: user))
  }

  /// Returns the value of `auth` for a user.
  private static func auth(of user: UnsignedToken) -> JSONValue {
    let provider = user.decodedClaims["firebase"]?["sign_in_provider"] ?? .string("custom")
    return .object([
      "uid": .string(user.uid), "provider": provider, "token": .object(user.decodedClaims),
    ])
  }
}
