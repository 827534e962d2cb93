import Core
package import GoogleAuth
import HTTPClient

/// The credential for Google Cloud Translation.
package enum GoogleCredential: Sendable {
  case key(Secret)
  /// The function's service account, which needs the role Cloud Translation API User.
  case account(any AccessTokenSource)

  /// Sends a request with the credential, and again with a new token if Google rejects a cached
  /// token.
  ///
  /// - Parameter send: a closure that sends the request with a header, and returns the response
  ///   with any status. The credential isn't in the URL, because URLs end up in logs.
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

  /// The credential's name in errors that it causes.
  var name: String {
    switch self {
    case .key: "GOOGLE_TRANSLATION_API_KEY"
    case .account: "the function's service account"
    }
  }

  /// Returns the error for a response of Google Cloud Translation with a status other than 200.
  ///
  /// Google uses the status 403 for a rejected caller and for a used-up quota. The error's reason
  /// distinguishes the two.
  ///
  /// Source: cloud.google.com/translate/quotas and …/docs/troubleshooting.
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
