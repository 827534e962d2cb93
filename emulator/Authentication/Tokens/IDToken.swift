package import Core
import Cryptography

/// An ID token that a client sends to prove who its user is.
package struct IDToken: Sendable {
  package let localId: String
  /// The provider with which the user signed in.
  package let signInProvider: String
  /// The time of issue in seconds since 1970.
  package let issuedAt: Int64
  /// The time of the sign-in in seconds since 1970, or `nil` if the token doesn't state it.
  let authenticatedAt: Int64?
  package let claims: JSONObject

  /// Creates a token by decoding a text.
  ///
  /// The emulator issues unsigned tokens. A signed token must be from somewhere else, and a session
  /// cookie has another issuer.
  ///
  /// - Throws: `INVALID_ID_TOKEN` if the text isn't an unsigned token for the project.
  package init(_ text: String, project: String) throws(AuthenticationError) {
    guard let token = try? JSONWebToken(text), token.header["alg"] == .string("none"),
      token.claims["aud"] == .string(project),
      token.claims["iss"] == .string(UnsignedToken.issuer(of: project)),
      let localId = token.claims["user_id"]?.string ?? token.claims["sub"]?.string,
      case .integer(let issuedAt)? = token.claims["iat"]
    else { throw .refused("INVALID_ID_TOKEN") }
    self.localId = localId
    self.issuedAt = issuedAt
    authenticatedAt = if case .integer(let time)? = token.claims["auth_time"] { time } else { nil }
    claims = token.claims
    signInProvider =
      token.claims["firebase"]?["sign_in_provider"]?.string ?? Account.customProvider
  }

  /// Checks that the token is still valid for its user.
  ///
  /// As in Firebase's emulator, tokens don't expire by themselves, so that tests can use them for
  /// long.
  ///
  /// - Parameters:
  ///   - account: The token's user, or `nil` if there is none.
  ///   - expiryHorizon: The time in seconds since 1970 before which all tokens have expired.
  /// - Returns: The account.
  func check(
    _ account: Account?,
    expiryHorizon: Int64
  ) throws(AuthenticationError) -> Account {
    guard let account else { throw .refused("USER_NOT_FOUND") }
    if let validSince = account.validSince, issuedAt < validSince {
      throw .refused("TOKEN_EXPIRED")
    }
    guard account.disabled != true else { throw .refused("USER_DISABLED") }
    // As in production, TOKEN_EXPIRED is only for revoked tokens.
    guard issuedAt >= expiryHorizon else { throw .refused("INVALID_ID_TOKEN") }
    return account
  }
}

extension AccountStore {
  /// Returns the account of an ID token's user.
  ///
  /// - Throws: An error if the token isn't for the project, the user is deleted or disabled, or the
  ///   token is revoked or expired.
  package func account(
    ofIDToken text: String,
    project: String
  ) throws(AuthenticationError) -> Account {
    let token = try IDToken(text, project: project)
    return try token.check(self[token.localId], expiryHorizon: expiryHorizon)
  }
}

extension AccountEdit {
  /// Returns an ID token and the account of its user.
  ///
  /// - Throws: An error if the token isn't valid.
  func user(
    ofIDToken text: String,
    project: String
  ) throws(AuthenticationError) -> (account: Account, token: IDToken) {
    let token = try IDToken(text, project: project)
    return (try token.check(self[token.localId], expiryHorizon: expiryHorizon), token)
  }
}
