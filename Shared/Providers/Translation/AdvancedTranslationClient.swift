package import Core
package import GoogleAuth
import HTTPClient

/// A client of Google Cloud Translation v3 (Advanced), which has glossaries and no API keys.
///
/// Source: cloud.google.com/translate/docs/reference/rest/v3/projects.locations/translateText.
package struct AdvancedTranslationClient: TranslationProvider {
  package let maximumTexts = 1_024
  /// Google's recommended maximum.
  package let maximumCharacters = 5_000
  /// A glossary has no extra cost.
  package let pricedEngine: String? = "nmt"

  private let baseURL: String
  private let location: String
  private let glossary: String?
  package let origin: TranslationOrigin
  private let credential: GoogleCredential
  private let session: ProviderSession

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - baseURL: TRANSLATION_BASE_URL, without the path.
  ///   - location: `global`, or the region of the glossary.
  ///   - glossary: the id of a glossary in the location.
  package init(
    baseURL: String?,
    project: String,
    location: String,
    glossary: String?,
    tokens: any AccessTokenSource,
    session: ProviderSession
  ) {
    self.baseURL = (baseURL ?? TranslationClient.production).withoutTrailingSlashes
    self.location = "projects/\(PercentEncoding.encode(project))/locations/\(location)"
    self.glossary = glossary.map { "projects/\(project)/locations/\(location)/glossaries/\($0)" }
    origin = TranslationOrigin(
      ([TranslationOrigin.google] + (glossary.map { [location, $0] } ?? [])).joined(separator: "/"),
      at: self.baseURL
    )
    self.session = session
    credential = .account(tokens)
  }

  package var deadline: ContinuousClock.Instant { session.deadline }

  private struct Request: Encodable {
    struct Glossary: Encodable {
      var glossary: String
      var ignoreCase = true
    }
    var contents: [String]
    // The default is text/html.
    var mimeType = "text/plain"
    var sourceLanguageCode: String
    var targetLanguageCode: String
    var glossaryConfig: Glossary?
  }

  private struct Response: Decodable {
    struct Item: Decodable {
      var translatedText: String
      /// The model's resource name.
      var model: String?
    }
    var translations: [Item]
    var glossaryTranslations: [Item]?
  }

  package func translate(
    _ texts: [String],
    from source: String,
    to target: String,
    deadline: ContinuousClock.Instant?
  ) async throws(StatusError) -> [Translation] {
    let session = session.ending(by: deadline)
    var request = Request(
      contents: texts,
      sourceLanguageCode: source,
      targetLanguageCode: target,
      glossaryConfig: glossary.map { .init(glossary: $0) }
    )
    var response = try await send(request, session)
    if response.status == 400, request.glossaryConfig != nil {
      // A glossary supports only some languages. Google rejects a request for other languages and
      // doesn't bill it.
      request.glossaryConfig = nil
      response = try await send(request, session)
    }
    switch response.status {
    case 200: break
    case 404:
      throw .configuration(
        .notFound,
        "the translation provider answered 404: check GOOGLE_CLOUD_PROJECT, "
          + "TRANSLATION_LOCATION and TRANSLATION_GLOSSARY"
      )
    default: throw credential.failure(response, source, target)
    }
    let answer = try? JSON.decode(Response.self, from: response.body, what: "the translation")
    let isGlossary = request.glossaryConfig != nil
    let items = isGlossary ? answer?.glossaryTranslations : answer?.translations
    return try TranslationAnswer.checked(
      items?.map { item in
        let model = item.model?.split(separator: "/").last.map(String.init) ?? "nmt"
        return Translation(
          text: item.translatedText,
          engine: isGlossary ? "\(model)-glossary" : model
        )
      },
      of: texts
    )
  }

  private func send(
    _ request: Request,
    _ session: ProviderSession
  ) async throws(StatusError) -> HTTPResponse {
    try await credential.authorize(deadline: session.deadline) { header throws(StatusError) in
      try await session.translation(
        "\(baseURL)/v3/\(location):translateText",
        request,
        headers: [header],
        key: credential.name
      )
    }
  }
}
