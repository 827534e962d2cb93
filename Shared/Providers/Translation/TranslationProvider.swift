package import Core
import HTTPClient

/// A translated text.
package struct Translation: Sendable, Hashable {
  package var text: String
  /// The engine's name, such as `nmt`, or the emulator's `phrasebook` and `pseudo`.
  package var engine: String

  package init(text: String, engine: String) {
    self.text = text
    self.engine = engine
  }
}

/// A translation provider: Google in either version, or a server with LibreTranslate's API.
package protocol TranslationProvider: Sendable {
  /// The maximum number of texts in one request.
  var maximumTexts: Int { get }
  /// The recommended maximum number of code points in a request, over all its texts.
  var maximumCharacters: Int { get }
  /// The engine's name in the price table, or `nil` if it is the name in the response.
  var pricedEngine: String? { get }
  /// The origin of the provider's translations.
  var origin: TranslationOrigin { get }
  /// The time at which the invocation's requests to the provider must end.
  var deadline: ContinuousClock.Instant { get }

  /// Translates texts in one request.
  ///
  /// - Parameters:
  ///   - texts: at most `maximumTexts` texts.
  ///   - source: the source language as Google's code, like `target`.
  ///   - deadline: the deadline of this request, if it is earlier than the session's.
  /// - Returns: one translation per text, in order.
  /// - Throws: `INVALID_ARGUMENT` for an unsupported pair of languages, a configuration error for
  ///   an invalid key, `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for temporary errors, including an
  ///   invalid response.
  func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation]
}

extension ProviderSession {
  /// Sends texts to any translation provider and returns the response with any status.
  ///
  /// - Parameter key: the environment variable of the key, named in errors that a wrong key causes.
  func translation(
    _ url: String,
    _ message: some Encodable,
    headers: [HTTPHeader],
    key: String
  ) async throws(StatusError) -> HTTPResponse {
    try await send(
      url,
      message,
      headers: headers,
      address: "TRANSLATION_BASE_URL",
      key: key,
      retry: HTTPRetryPolicy(maximumAttempts: 2),
      maximumResponseBytes: TranslationAnswer.maximumBytes
    )
  }
}

/// The checks and errors that the clients of all providers share.
enum TranslationAnswer {
  /// The maximum size of a response. Requests have only some kilobytes.
  static let maximumBytes = 1024 * 1024

  static let nonsense = StatusError(
    .unavailable,
    "the translation provider returned an invalid response"
  )

  /// Returns the error for a status other than 200, if the body has no more specific error.
  static func failure(_ response: HTTPResponse) -> StatusError {
    switch response.status {
    case 300..<400: .redirect("the translation provider", response, "TRANSLATION_BASE_URL")
    case 429: quota(retryAfter: response.retryAfter)
    case 500...:
      StatusError(
        .unavailable,
        "the translation provider answered \(response.status)",
        retryAfter: response.retryAfter
      )
    default: StatusError(.internal, "the translation provider answered \(response.status)")
    }
  }

  static func quota(retryAfter: Duration?) -> StatusError {
    StatusError(
      .resourceExhausted,
      "the translation provider is over its quota",
      retryAfter: retryAfter
    )
  }

  static func unknownPair(_ source: String, _ target: String) -> StatusError {
    StatusError(
      .invalidArgument,
      "the translation provider does not translate \(source) to \(target)"
    )
  }

  static func refused(_ credential: String, _ code: StatusCode) -> StatusError {
    .configuration(code, "the translation provider refused \(credential)")
  }

  /// Checks a response's translations, and returns them.
  ///
  /// - Throws: `UNAVAILABLE` if a text has no translation, or if a translation is far too long.
  static func checked(
    _ translations: [Translation]?,
    of texts: [String]
  ) throws(StatusError) -> [Translation] {
    guard let translations, translations.count == texts.count,
      zip(translations, texts).allSatisfy({ isPlausible($0.text, of: $1) })
    else { throw nonsense }
    return translations
  }

  /// Returns a Boolean value that indicates whether a translation's length is plausible.
  ///
  /// No language needs ten times as many code points as another, except for single words.
  private static func isPlausible(_ translation: String, of text: String) -> Bool {
    translation.unicodeScalars.count <= 10 * text.unicodeScalars.count + 200
  }
}
