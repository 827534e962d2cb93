package import Core
import HTTPClient

/// A text in another language.
package struct Translation: Sendable, Hashable {
  package var text: String
  /// Which engine answered, such as `nmt`, or the emulator's `phrasebook` and `pseudo`.
  package var engine: String

  package init(text: String, engine: String) {
    self.text = text
    self.engine = engine
  }
}

/// Who translates: Google in either version, or a server that speaks like LibreTranslate.
package protocol TranslationProvider: Sendable {
  /// At most this many texts go into one request.
  var maximumTexts: Int { get }
  /// Code points that a request should hold at most, all its texts together.
  var maximumCharacters: Int { get }
  /// The engine whose price is paid, as the table of prices has it; nil if it is the one that answers.
  var pricedEngine: String? { get }
  /// Whose its translations are.
  var origin: TranslationOrigin { get }
  /// When the invocation's time for the provider ends.
  var deadline: ContinuousClock.Instant { get }

  /// Translates texts in one request.
  ///
  /// - Parameters:
  ///   - texts: at most `maximumTexts`.
  ///   - source: and `target`: language codes as Google knows them.
  ///   - deadline: for this request, if it is earlier than the session's.
  /// - Returns: one translation per text, in order.
  /// - Throws: `INVALID_ARGUMENT` for a pair it doesn't know, a configuration error for our key,
  ///   `RESOURCE_EXHAUSTED` and `UNAVAILABLE` for what may pass, an answer that is none among it.
  func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation]
}

extension ProviderSession {
  /// POSTs texts to a translator, whichever it is, and returns the answer, whatever its status.
  ///
  /// - Parameter key: what an error names whose fault the headers are.
  func translation(
    _ url: String,
    _ message: some Encodable,
    headers: [HTTPHeader],
    key: String
  ) async throws(StatusError) -> HTTPResponse {
    try await post(
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

/// What clients of all providers say and check alike.
enum TranslationAnswer {
  /// A translator's answer of one megabyte is none: requests have some kilobytes.
  static let maximumBytes = 1024 * 1024

  static let nonsense = StatusError(
    .unavailable,
    "the translation provider answered with nonsense"
  )

  /// What a status says that isn't 200, where the provider says nothing of its own with it.
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

  /// - Returns: The translations, if there is one for each text and none is absurdly long.
  static func checked(
    _ translations: [Translation]?,
    of texts: [String]
  ) throws(StatusError) -> [Translation] {
    guard let translations, translations.count == texts.count,
      zip(translations, texts).allSatisfy({ isPlausible($0.text, of: $1) })
    else { throw nonsense }
    return translations
  }

  /// No language needs ten times as many code points as another, unless for a word.
  private static func isPlausible(_ translation: String, of text: String) -> Bool {
    translation.unicodeScalars.count <= 10 * text.unicodeScalars.count + 200
  }
}
