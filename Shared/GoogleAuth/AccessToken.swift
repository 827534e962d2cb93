package import RPCStatus

/// A bearer token for Google's APIs. It can't print itself.
package struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
  private let token: String
  /// When it stops being accepted.
  package var expiry: ContinuousClock.Instant

  package init(_ token: String, expiry: ContinuousClock.Instant) {
    self.token = token
    self.expiry = expiry
  }

  /// The value of the Authorization header.
  package var authorization: String { "Bearer \(token)" }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where access tokens come from.
package protocol AccessTokenSource: Sendable {
  /// A token that is valid for some minutes more.
  func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken
}

/// What the token endpoint and the metadata server answer alike.
struct TokenResponse: Decodable {
  var accessToken: String
  var expiresIn: Int

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case expiresIn = "expires_in"
  }

  var token: AccessToken {
    AccessToken(accessToken, expiry: .now + .seconds(expiresIn))
  }
}
