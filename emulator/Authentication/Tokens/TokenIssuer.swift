package import Core
import Cryptography
import FirestoreModel

/// The issuer of a project's tokens.
package struct TokenIssuer: Sendable {
  /// The time in seconds for which an ID token is valid.
  static let lifetime: Int64 = 3_600

  let project: String

  package init(project: String) { self.project = project }

  /// Issues an ID token and a refresh token, and records the time in the account.
  ///
  /// - Parameters:
  ///   - account: The user. It is changed in `edit`, too.
  ///   - provider: The provider with which the user signed in.
  ///   - claims: The claims of the custom token with which the user signed in.
  ///   - authenticatedAt: The time of the sign-in in seconds since 1970, or `nil` for now.
  /// - Returns: The fields `idToken`, `refreshToken` and `expiresIn` of a response.
  func issueTokens(
    for account: inout Account,
    provider: String,
    claims: JSONObject = [:],
    authenticatedAt: Int64? = nil,
    in edit: inout AccountEdit,
    at now: Timestamp
  ) throws(AuthenticationError) -> JSONObject {
    account.lastRefreshAt = now
    edit.set(account)
    let issued = max(now.seconds, edit.expiryHorizon)
    let refreshToken = RefreshToken(
      localId: account.localId,
      provider: provider,
      claims: claims,
      project: project,
      issuedAt: now.seconds,
      authenticatedAt: authenticatedAt ?? now.seconds
    )
    return [
      "idToken": .string(
        try idToken(
          for: account,
          provider: provider,
          claims: claims,
          authenticatedAt: authenticatedAt ?? now.seconds,
          at: issued
        )
      ),
      "refreshToken": .string(try refreshToken.encoded()),
      "expiresIn": .string(String(Self.lifetime)),
    ]
  }

  /// Returns an unsigned ID token.
  ///
  /// - Parameters:
  ///   - provider: The provider with which the user signed in, or `nil` for the first one that the
  ///     account has.
  ///   - claims: Claims in addition to the account's. They can't replace the standard ones.
  ///   - authenticatedAt: The time of the sign-in in seconds since 1970, or `nil` for the account's
  ///     last one.
  ///   - now: The time of issue in seconds since 1970.
  package func idToken(
    for account: Account,
    provider: String? = nil,
    claims: JSONObject,
    authenticatedAt: Int64? = nil,
    at now: Int64
  ) throws(AuthenticationError) -> String {
    let provider = provider ?? account.usualProvider
    var all: JSONObject = [:]
    all["name"] = account.displayName.map(JSONValue.string)
    all["picture"] = account.photoUrl.map(JSONValue.string)
    all.merge(CustomClaims.parse(account.customAttributes)) { $1 }
    all.merge(claims) { $1 }
    // Custom claims can't replace the following ones, even if the account doesn't have them.
    all["email"] = account.email.map(JSONValue.string)
    all["email_verified"] = account.emailVerified.map(JSONValue.boolean)
    all["phone_number"] = account.phoneNumber.map(JSONValue.string)
    let isAnonymous = provider == Account.anonymousProvider
    all["provider_id"] = isAnonymous ? .string(provider) : nil
    all["auth_time"] = .integer(authenticatedAt ?? account.authenticationTime ?? now)
    all["user_id"] = .string(account.localId)
    all["sub"] = .string(account.localId)
    all["firebase"] = .object([
      "identities": .object(account.identities), "sign_in_provider": .string(provider),
    ])
    all["iss"] = .string(UnsignedToken.issuer(of: project))
    all["aud"] = .string(project)
    all["iat"] = .integer(now)
    all["exp"] = .integer(now + Self.lifetime)
    return try Self.encode(all)
  }

  /// Returns a session cookie with the claims of an ID token.
  ///
  /// - Parameters:
  ///   - duration: The time in seconds for which the cookie is valid.
  ///   - now: The time in seconds since 1970.
  func sessionCookie(
    for token: IDToken,
    duration: Int64,
    at now: Int64
  ) throws(AuthenticationError) -> String {
    var claims = token.claims
    claims["iat"] = .integer(now)
    claims["exp"] = .integer(now + duration)
    claims["iss"] = .string("https://session.firebase.google.com/\(project)")
    return try Self.encode(claims)
  }

  private static func encode(_ claims: JSONObject) throws(AuthenticationError) -> String {
    do {
      return try JSONWebToken.encode(
        header: Data(#"{"alg":"none","typ":"JWT"}"#.utf8),
        payload: JSON.encode(JSONValue.object(claims)),
        key: nil
      )
    } catch {
      throw AuthenticationError(StatusError(.internal, "the token can't be encoded"))
    }
  }
}

extension Account {
  /// The provider with which the user most likely signs in.
  fileprivate var usualProvider: String {
    if let provider = providers.first { return provider.providerId }
    return customAuth == true || createdAt == nil ? Self.customProvider : Self.anonymousProvider
  }

  /// The time of the last sign-in in seconds since 1970, or the best substitute.
  fileprivate var authenticationTime: Int64? {
    lastLoginAt.map { $0 / 1_000 } ?? lastRefreshAt?.seconds ?? createdAt.map { $0 / 1_000 }
  }

  /// The user's IDs by provider. The email address stands for the provider `password`.
  fileprivate var identities: JSONObject {
    var identities: JSONObject = [:]
    if let email { identities["email"] = .array([.string(email)]) }
    for provider in providers where provider.providerId != Self.passwordProvider {
      identities[provider.providerId] = .array([.string(provider.rawId)])
    }
    return identities
  }
}
