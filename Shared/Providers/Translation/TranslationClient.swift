package import Core
import HTTPClient

/// A client of Google Cloud Translation v2 (Basic).
///
/// Source: cloud.google.com/translate/docs/reference/rest/v2/translate and …/pricing.
package struct TranslationClient: TranslationProvider {
  package let maximumTexts = 128
  /// Google's recommended maximum.
  package let maximumCharacters = 5_000
  package let pricedEngine: String? = nil

  private let baseURL: String
  private let credential: GoogleCredential
  private let session: ProviderSession

  /// Creates a client.
  ///
  /// - Parameter baseURL: TRANSLATION_BASE_URL, without the path.
  package init(baseURL: String?, credential: GoogleCredential, session: ProviderSession) {
    self.baseURL = (baseURL ?? Self.production).withoutTrailingSlashes
    self.credential = credential
    self.session = session
  }

  /// The base URL of both versions of Google's API.
  static let production = "https://translation.googleapis.com"

  package var deadline: ContinuousClock.Instant { session.deadline }
  package var origin: TranslationOrigin { TranslationOrigin(TranslationOrigin.google, at: baseURL) }

  private struct Request: Encodable {
    var q: [String]
    var source: String
    var target: String
    // The default is html, which turns an apostrophe into an entity.
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

  package func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation] {
    let session = session.ending(by: deadline)
    let request = Request(q: texts, source: source, target: target)
    let response = try await credential.authorize(deadline: session.deadline) {
      header throws(StatusError) in
      try await session.translation(
        "\(baseURL)/language/translate/v2",
        request,
        headers: [header],
        key: credential.name
      )
    }
    guard response.status == 200 else { throw credential.failure(response, source, target) }
    let answer = try? JSON.decode(Response.self, from: response.body, what: "the translation")
    return try TranslationAnswer.checked(
      answer?.data.translations.map {
        Translation(text: $0.translatedText, engine: $0.model ?? "nmt")
      },
      of: texts
    )
  }
}
