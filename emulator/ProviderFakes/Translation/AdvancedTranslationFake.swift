import Core
import HTTPService

/// The fake of Cloud Translation v3 (Advanced): translation, detection, languages, and one
/// glossary.
struct AdvancedTranslationFake: Sendable {
  private static let maximumTexts = 1_024
  private static let maximumCharacters = 30_000

  private let oauth: OAuthFake
  private let usage: ProviderUsage
  private let translator: OfflineTranslator

  init(oauth: OAuthFake, usage: ProviderUsage, translator: OfflineTranslator) {
    self.oauth = oauth
    self.usage = usage
    self.translator = translator
  }

  /// The target of a path: `projects/{project}` or `projects/{project}/locations/{location}`,
  /// followed by a method after a colon, or a collection after a slash.
  private struct Target {
    var project: String
    var location = "global"
    var method: String

    init?(_ path: [String]) {
      guard path.count > 2, path.prefix(2) == ["v3", "projects"] else { return nil }
      let parts = path.dropFirst(2).joined(separator: "/").split(separator: ":", maxSplits: 1)
      var names = parts.first?.split(separator: "/").map(String.init) ?? []
      if parts.count > 1 {
        method = String(parts[1])
      } else {
        method = names.popLast() ?? ""
      }
      switch names.count {
      case 1: project = names[0]
      case 3 where names[1] == "locations": (project, location) = (names[0], names[2])
      default: return nil
      }
    }
  }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let target = Target(request.path) else {
      throw .notServed(by: "the Translation fake", "path")
    }
    do throws(GoogleRefusal) {
      try authorize(request)
      switch (request.method, target.method) {
      case ("POST", "translateText"): return try await translate(request, target)
      case ("POST", "detectLanguage"): return try detect(request)
      case ("GET", "supportedLanguages"): return try languages(request)
      default: break
      }
    } catch {
      return error.response
    }
    throw .notServed(by: "the Translation fake", "method")
  }

  /// Checks the access token. This version of the API doesn't accept API keys.
  private func authorize(_ request: ServiceRequest) throws(GoogleRefusal) {
    guard let token = request.bearerToken else {
      throw GoogleRefusal(
        .unauthenticated,
        "API keys are not supported by this API. Expected OAuth2 access token or other "
          + "authentication credentials that assert a principal.",
        details: [
          .object([
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "CREDENTIALS_MISSING",
          ])
        ]
      )
    }
    guard oauth.accepts(token) else { throw .invalidToken }
  }

  private func translate(
    _ request: ServiceRequest,
    _ target: Target
  ) async throws(GoogleRefusal) -> ServiceResponse {
    try request.refuseParameters(besides: [])
    let body = try GoogleMessage(
      request.body,
      members: [
        "contents", "mimeType", "sourceLanguageCode", "targetLanguageCode", "model",
        "glossaryConfig", "labels", "transliterationConfig",
      ]
    )
    guard let texts = try body.strings("contents"), !texts.isEmpty else {
      throw .invalid("Content is empty.")
    }
    guard texts.count <= Self.maximumTexts else { throw .invalid("Too many contents.") }
    guard texts.reduce(0, { $0 + $1.unicodeScalars.count }) <= Self.maximumCharacters else {
      throw .invalid("Text is too long.")
    }
    let mimeType = try body.string("mimeType") ?? "text/html"
    guard ["text/plain", "text/html"].contains(mimeType) else {
      throw .invalid("Invalid mime type.")
    }
    guard let language = try body.string("targetLanguageCode") else {
      throw .invalid("Target language is required.")
    }
    let source = try body.string("sourceLanguageCode")
    guard TranslationLanguages.isCode(language),
      source.map(TranslationLanguages.isCode) != false
    else { throw .invalid("Invalid language code.") }
    guard source != language else {
      throw .invalid("Target language can't be equal to source language.")
    }
    let glossary = try glossary(of: body, target, from: source, to: language)
    usage.count(translated: texts)

    let model = "projects/\(target.project)/locations/\(target.location)/models/general/"
    let answers = await translator.translate(texts, from: source, to: language)
    func items(_ text: (String) -> String) -> JSONValue {
      .array(
        answers.map { answer in
          let translation = text(answer.text)
          var item: JSONObject = [
            "translatedText": .string(
              mimeType == "text/plain" ? translation : translation.htmlEscaped
            ),
            "model": .string(model + answer.engine),
          ]
          if let detected = answer.detectedSource {
            item["detectedLanguageCode"] = .string(detected)
          }
          return .object(item)
        }
      )
    }
    var response: JSONObject = ["translations": items { $0 }]
    if let glossary { response["glossaryTranslations"] = items(glossary) }
    return .json(JSONValue.object(response))
  }

  /// Returns the function that applies the requested glossary, or `nil` if the request names none.
  private func glossary(
    of body: GoogleMessage,
    _ target: Target,
    from source: String?,
    to language: String
  ) throws(GoogleRefusal) -> ((String) -> String)? {
    let configuration = try body.message(
      "glossaryConfig",
      members: ["glossary", "ignoreCase", "contextualTranslationEnabled"]
    )
    guard let configuration else { return nil }
    let place = "projects/\(target.project)/locations/\(target.location)"
    guard target.location != "global" else {
      throw .invalid("Glossaries are not supported in the location global.")
    }
    guard
      try configuration.string("glossary") == "\(place)/glossaries/\(TranslationGlossary.id)"
    else { throw GoogleRefusal(.notFound, "Glossary not found.") }
    guard let source, TranslationGlossary.has(source, language) else {
      throw .invalid("The glossary does not have these languages.")
    }
    let ignoresCase = try configuration.boolean("ignoreCase")
    return { text in
      TranslationGlossary.apply(to: text, from: source, to: language, ignoringCase: ignoresCase)
    }
  }

  private func detect(_ request: ServiceRequest) throws(GoogleRefusal) -> ServiceResponse {
    try request.refuseParameters(besides: [])
    let body = try GoogleMessage(
      request.body,
      members: ["content", "mimeType", "model", "labels"]
    )
    guard let text = try body.string("content"), !text.isEmpty else {
      throw .invalid("Content is empty.")
    }
    return .json(
      JSONValue.object([
        "languages": .array([
          .object(["languageCode": .string(translator.detect(text)), "confidence": .integer(1)])
        ])
      ])
    )
  }

  private func languages(_ request: ServiceRequest) throws(GoogleRefusal) -> ServiceResponse {
    try request.refuseParameters(besides: ["displayLanguageCode", "model"])
    let display = request[query: "displayLanguageCode"]
    return .json(
      JSONValue.object([
        "languages": .array(
          TranslationLanguages.codes.map { code in
            var language: JSONObject = [
              "languageCode": .string(code), "supportSource": .boolean(true),
              "supportTarget": .boolean(true),
            ]
            if let display {
              language["displayName"] = .string(TranslationLanguages.name(of: code, in: display))
            }
            return .object(language)
          }
        )
      ])
    )
  }
}
