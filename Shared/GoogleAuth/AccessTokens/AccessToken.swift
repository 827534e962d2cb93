package import Core
package import HTTPClient

/// A bearer token for Google's APIs. It can't print itself.
package struct AccessToken: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// How long a token that is to be used must live at least. Google's metadata server renews its own
  /// when they have this long to live.
  static let margin = Duration.seconds(300)

  private let secret: String
  /// When it stops being accepted.
  package var expiry: ContinuousClock.Instant

  package init(_ token: String, expiry: ContinuousClock.Instant) {
    secret = token
    self.expiry = expiry
  }

  /// The value of the Authorization header.
  package var authorization: String { "Bearer \(secret)" }

  /// Whether it needs no renewal yet.
  var isFresh: Bool { expiry > .now + Self.margin }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  package static func == (one: AccessToken, other: AccessToken) -> Bool {
    one.secret == other.secret
  }
}

/// Where access tokens come from.
package protocol AccessTokenSource: Sendable {
  /// A token that is valid for some minutes more.
  func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken

  /// Forgets a token that an API has refused: nobody is given it again.
  func discard(_ token: AccessToken) async
}

extension AccessTokenSource {
  /// A source that keeps nothing has nothing to forget.
  package func discard(_ token: AccessToken) async {}

  /// Sends a request with a token; and once more with a new one if the API refuses that token, which
  /// may have been revoked while it was kept.
  ///
  /// - Parameters:
  ///   - isRefused: whether an answer is about the token.
  ///   - send: sends the request with the token, and returns the answer whatever its status.
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

/// What the token endpoint and the metadata server answer alike.
struct TokenResponse: Decodable {
  /// Google's tokens live an hour, twelve at most.
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
        .init(codingPath: container.codingPath, debugDescription: "no token that can be used")
      )
    }
    self.token = AccessToken(token, expiry: .now + .seconds(min(seconds, Self.longestLife)))
  }
}
