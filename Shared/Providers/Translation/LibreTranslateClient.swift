package import Core
import HTTPClient

/// A client of a self-hosted server with LibreTranslate's API, backed by Argos or another engine.
///
/// Source: docs.libretranslate.com/guides/api_usage. The API key is a field of the body.
package struct LibreTranslateClient: TranslationProvider {
  package let maximumTexts = 50
  package let maximumCharacters = 5_000
  /// The price is the same for every engine behind the server.
  package let pricedEngine: String? = "libretranslate"

  private let baseURL: String
  private let key: Secret?
  private let session: ProviderSession

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: TRANSLATION_BASE_URL, without `/translate`.
  ///   - key: the API key, or `nil` for servers that require none.
  package init(baseURL: String, key: Secret?, session: ProviderSession) {
    self.baseURL = baseURL.withoutTrailingSlashes
    self.key = key
    self.session = session
  }

  package var deadline: ContinuousClock.Instant { session.deadline }
  package var origin: TranslationOrigin {
    TranslationOrigin(TranslationOrigin.libreTranslate, at: baseURL)
  }

  private struct Request: Encodable {
    var q: [String]
    var source: String
    var target: String
    var format = "text"
    var key: String?

    private enum CodingKeys: String, CodingKey {
      case q, source, target, format
      case key = "api_key"
    }
  }

  private struct Response: Decodable {
    var translatedText: [String]
    /// The engine of each text, or `nil` if the server doesn't report it; LibreTranslate doesn't.
    var model: [String]?
  }

  private struct Failure: Decodable { var error: String }

  package func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation] {
    let response = try await session.ending(by: deadline).translation(
      "\(baseURL)/translate",
      Request(
        q: texts,
        source: Self.code(source),
        target: Self.code(target),
        key: key?.reveal()
      ),
      headers: [],
      key: "TRANSLATION_API_KEY"
    )
    guard response.status == 200 else { throw Self.failure(response, source, target) }
    let answer = try? JSON.decode(Response.self, from: response.body, what: "the translation")
    return try TranslationAnswer.checked(
      answer?.translatedText.enumerated().map { index, text in
        let model = answer?.model.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        return Translation(text: text, engine: model ?? "libretranslate")
      },
      of: texts
    )
  }

  /// Returns LibreTranslate's code for Google's code of a language.
  ///
  /// Newer servers name Chinese `zh-Hans` and `zh-Hant`, but accept the older names `zh` and `zt`,
  /// too.
  private static func code(_ code: String) -> String {
    switch code {
    case "zh-TW": "zt"
    case "no": "nb"
    case "fil": "tl"
    default: String(code.prefix { $0 != "-" })
    }
  }

  private static func failure(
    _ response: HTTPResponse,
    _ source: String,
    _ target: String
  ) -> StatusError {
    let message = try? JSON.decode(Failure.self, from: response.body, what: "the error").error
    switch response.status {
    case 400 where message?.contains("API key") == true:
      return TranslationAnswer.refused("TRANSLATION_API_KEY", .unauthenticated)
    case 400: return TranslationAnswer.unknownPair(source, target)
    case 401, 403: return TranslationAnswer.refused("TRANSLATION_API_KEY", .permissionDenied)
    case 404:
      return .configuration(.notFound, "TRANSLATION_BASE_URL: the server has no LibreTranslate API")
    default: return TranslationAnswer.failure(response)
    }
  }
}
