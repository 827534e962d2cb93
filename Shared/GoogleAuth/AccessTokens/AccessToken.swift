package import Core
package import HTTPClient

/// An access token for Google's APIs. Its `description` doesn't contain the secret.
package struct AccessToken: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The time between a token's renewal and its expiry. Google's metadata server uses the same
  /// margin.
  static let margin = Duration.seconds(300)

  private let secret: String
  /// The time at which the token expires.
  package var expiry: ContinuousClock.Instant

  package init(_ token: String, expiry: ContinuousClock.Instant) {
    secret = token
    self.expiry = expiry
  }

  /// The value of the Authorization header.
  package var authorization: String { "Bearer \(secret)" }

  /// A Boolean value that indicates whether the token is still valid for longer than `margin`.
  var isFresh: Bool { expiry > .now + Self.margin }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  package static func == (one: AccessToken, other: AccessToken) -> Bool {
    one.secret == other.secret
  }
}

/// A source of access tokens.
package protocol AccessTokenSource: Sendable {
  /// Returns a token that stays valid for some minutes.
  func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken

  /// Removes a token from the cache after an API has refused it, so that it isn't returned again.
  func discard(_ token: AccessToken) async
}

extension AccessTokenSource {
  /// Does nothing, for a source without a cache.
  package func discard(_ token: AccessToken) async {}

  /// Sends a request with a token. If the API refuses the token, sends the request once more with a
  /// new token, because a cached token may have been revoked.
  ///
  /// - Parameters:
  ///   - isRefused: Returns whether a response refuses the token.
  ///   - send: Sends the request with the token and returns the response, whatever its status.
  package func authorized(
    deadline: ContinuousClock.Instant,
    isRefused: (HTTPResponse) -> Bool = { $0.status == 401 },
    _ send: (AccessToken) async throws(StatusError) -> HTTPResponse
  ) async throws(StatusError) -> HTTPResponse {
    let token = try await accessToken(deadline: deadline)
    let response = try await send(token)
    guard isRefused(response) else { return response }
    await discard(token)
    let renewed = try await accessToken(deadline: deadline)
    return renewed == token ? response : try await send(renewed)
  }
}

/// The response of the token endpoint and of the metadata server.
struct TokenResponse: Decodable {
  /// The maximum lifetime in seconds. Google's tokens are usually valid for one hour, and for at
  /// most twelve.
  private static let longestLife = 86_400

  var token: AccessToken

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case expiresIn = "expires_in"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let token = try container.decode(String.self, forKey: .accessToken)
    let seconds = try container.decode(Int.self, forKey: .expiresIn)
    guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), seconds > 0 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "not a valid token")
      )
    }
    self.token = AccessToken(token, expiry: .now + .seconds(min(seconds, Self.longestLife)))
  }
}
