import HTTPTransport
import JSONCoding
package import RPCStatus

/// Google Cloud Translation v2 (Basic).
///
/// Source: cloud.google.com/translate/docs/reference/rest/v2/translate and …/pricing.
package struct TranslationClient: Sendable {
  /// A text in another language.
  package struct Translation: Sendable, Hashable {
    package var text: String
    /// Which engine answered: `nmt`, or the emulator's `phrasebook` and `pseudo`.
    package var engine: String
  }

  /// Google recommends at most this many code points in a request.
  package static let maximumCharacters = 5_000
  /// At most this many texts go into one request.
  package static let maximumTexts = 128

  private let baseURL: String
  private let key: Secret
  private let session: ProviderSession

  /// - Parameter baseURL: TRANSLATION_BASE_URL, without the path.
  package init(baseURL: String?, key: Secret, session: ProviderSession) {
    self.baseURL = (baseURL ?? "https://translation.googleapis.com").withoutTrailingSlashes
    self.key = key
    self.session = session
  }

  /// When the session ends.
  package var deadline: ContinuousClock.Instant { session.deadline }

  private struct Request: Encodable {
    var q: [String]
    var source: String
    var target: String
    // The default is html, which would turn an apostrophe into an entity.
    var format = "text"
  }

  private struct Response: Decodable {
    struct Payload: Decodable { var translations: [Item] }
    struct Item: Decodable {
      var translatedText: String
      var model: String?
    }
    var data: Payload
  }

  /// Translates texts in one request.
  ///
  /// - Parameters:
  ///   - texts: at most `maximumTexts`.
  ///   - source: and `target`: language codes as the provider knows them.
  ///   - deadline: for this request, if it is earlier than the session's.
  /// - Returns: one translation per text, in order.
  /// - Throws: `INVALID_ARGUMENT` for a pair it doesn't know, a configuration error for our key,
  ///   `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for what may pass.
  package func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(StatusError) -> [Translation] {
    let response = try await session.ending(by: deadline).post(
      "\(baseURL)/language/translate/v2",
      Request(q: texts, source: source, target: target),
      headers: [HTTPHeader("X-goog-api-key", key.reveal())],
      address: "TRANSLATION_BASE_URL",
      key: "GOOGLE_TRANSLATION_API_KEY",
      retry: RetryPolicy(maximumAttempts: 2)
    )
    guard response.status == 200 else { throw Self.failure(response, source, target) }
    guard
      let answer = try? JSON.decode(Response.self, from: response.body, what: "the translation"),
      answer.data.translations.count == texts.count
    else {
      throw StatusError(.unavailable, "the translation provider answered with nonsense")
    }
    return answer.data.translations.map {
      Translation(text: $0.translatedText, engine: $0.model ?? "nmt")
    }
  }

  private static func failure(
    _ response: HTTPResponse,
    _ source: String,
    _ target: String
  ) -> StatusError {
    let reasons = GoogleError(response)?.reasons ?? []
    let name = "the translation provider"
    let limits: Set<String> = [
      "dailyLimitExceeded", "userRateLimitExceeded", "rateLimitExceeded", "RATE_LIMIT_EXCEEDED",
    ]
    switch response.status {
    case 429:
      return StatusError(
        .resourceExhausted,
        "\(name) is over its quota",
        retryAfter: response.retryAfter
      )
    case 403 where !reasons.isDisjoint(with: limits):
      return StatusError(
        .resourceExhausted,
        "\(name) is over its quota",
        retryAfter: response.retryAfter
      )
    case 400 where !reasons.isDisjoint(with: ["keyInvalid", "API_KEY_INVALID"]):
      return .configuration(.unauthenticated, "\(name) refused GOOGLE_TRANSLATION_API_KEY")
    case 401, 403:
      return .configuration(.permissionDenied, "\(name) refused GOOGLE_TRANSLATION_API_KEY")
    case 400:
      return StatusError(.invalidArgument, "\(name) does not translate \(source) to \(target)")
    case 500...:
      return StatusError(
        .unavailable,
        "\(name) answered \(response.status)",
        retryAfter: response.retryAfter
      )
    default:
      return StatusError(.internal, "\(name) answered \(response.status)")
    }
  }
}
