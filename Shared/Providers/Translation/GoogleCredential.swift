import Core
package import GoogleAuth
import HTTPClient

/// As whom Google's Translation is asked.
package enum GoogleCredential: Sendable {
  case key(Secret)
  /// The function's own account. It needs the role Cloud Translation API User.
  case account(any AccessTokenSource)

  /// Sends a request with it, and once more with a new token if Google refuses one that was kept.
  ///
  /// - Parameter send: gets a header, as URLs end up in logs; returns the answer whatever its status.
  func authorize(
    deadline: ContinuousClock.Instant,
    _ send: (HTTPHeader) async throws(StatusError) -> HTTPResponse
  ) async throws(StatusError) -> HTTPResponse {
    switch self {
    case .key(let key): try await send(HTTPHeader("X-goog-api-key", key.reveal()))
    case .account(let tokens):
      try await tokens.authorized(deadline: deadline) { token throws(StatusError) in
        try await send(HTTPHeader("Authorization", token.authorization))
      }
    }
  }

  /// What an error names that is its fault.
  var name: String {
    switch self {
    case .key: "GOOGLE_TRANSLATION_API_KEY"
    case .account: "our service account"
    }
  }

  /// What Google's Translation means by a status that isn't 200.
  ///
  /// Source: cloud.google.com/translate/quotas and …/docs/troubleshooting. Used-up quotas come as
  /// 403 too, told from a refused caller by their reason.
  func failure(_ response: HTTPResponse, _ source: String, _ target: String) -> StatusError {
    let reasons = GoogleError(response)?.reasons ?? []
    switch response.status {
    case 403 where !reasons.isDisjoint(with: Self.limits):
      return TranslationAnswer.quota(retryAfter: response.retryAfter)
    case 400 where !reasons.isDisjoint(with: ["keyInvalid", "API_KEY_INVALID"]):
      return TranslationAnswer.refused(name, .unauthenticated)
    case 401, 403:
      return TranslationAnswer.refused(name, .permissionDenied)
    case 400:
      return TranslationAnswer.unknownPair(source, target)
    default:
      return TranslationAnswer.failure(response)
    }
  }

  private static let limits: Set<String> = [
    "dailyLimitExceeded", "userRateLimitExceeded", "rateLimitExceeded", "RATE_LIMIT_EXCEEDED",
  ]
}
