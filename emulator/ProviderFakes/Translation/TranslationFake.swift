import Core
import HTTPService

/// The fake of Cloud Translation v2 (Basic), which validates requests as strictly as Google.
///
/// A text that the engine doesn't know is returned with a mark, so that it isn't taken for a
/// translation. `model` is the engine's name, where Google returns `nmt`.
struct TranslationFake: Sendable {
  /// Google's limit on the number of texts in one request.
  private static let maximumTexts = 128
  /// Google's limit on the characters in all texts of a request.
  private static let maximumCharacters = 30_000

  private let key: String
  private let oauth: OAuthFake
  private let usage: ProviderUsage
  private let translator: OfflineTranslator

  init(key: String, oauth: OAuthFake, usage: ProviderUsage, translator: OfflineTranslator) {
    self.key = key
    self.oauth = oauth
    self.usage = usage
    self.translator = translator
  }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard request.path.prefix(3) == ["language", "translate", "v2"] else {
      throw .notServed(by: "the Translation fake", "path")
    }
    do throws(GoogleRefusal) {
      try authorize(request)
      switch (request.method, request.path.dropFirst(3)) {
      case ("POST", []): return try await translate(request)
      case ("POST", ["detect"]): return try detect(request)
      case ("GET", ["languages"]): return try languages(request)
      default: break
      }
    } catch {
      return error.response
    }
    throw .notServed(by: "the Translation fake", "method")
  }

  /// Checks the API key, or the access token that the OAuth fake issued.
  private func authorize(_ request: ServiceRequest) throws(GoogleRefusal) {
    if let token = request.bearerToken {
      guard oauth.accepts(token) else { throw .invalidToken }
      return
    }
    guard let given = request.headers["x-goog-api-key"] ?? request[query: "key"] else {
      throw GoogleRefusal(
        .permissionDenied,
        "Method doesn't allow unregistered callers (callers without established identity).",
        reason: "forbidden"
      )
    }
    guard given == key else {
      throw GoogleRefusal(
        .invalidArgument,
        "API key not valid. Please pass a valid API key.",
        reason: "badRequest",
        details: [
          .object([
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
          ])
        ]
      )
    }
  }

  private func translate(
    _ request: ServiceRequest
  ) async throws(GoogleRefusal) -> ServiceResponse {
    try request.refuseParameters(besides: [])
    let body = try GoogleMessage(
      request.body,
      members: ["q", "target", "source", "format", "model", "cid"]
    )
    let texts = try texts(body)
    guard texts.count <= Self.maximumTexts else { throw .invalid("Too many text segments") }
    guard texts.reduce(0, { $0 + $1.unicodeScalars.count }) <= Self.maximumCharacters else {
      throw .invalid("Text too long")
    }
    guard let target = try body.string("target") else { throw .invalid("Required Value: target") }
    let source = try body.string("source")
    let format = try body.string("format") ?? "html"
    guard ["text", "html"].contains(format),
      ["nmt", "base", nil].contains(try body.string("model")),
      try body.strings("cid")?.isEmpty != false,
      TranslationLanguages.isCode(target), source.map(TranslationLanguages.isCode) != false,
      source != target
    else { throw .invalid("Invalid Value") }
    usage.count(translated: texts)
    let answers = await translator.translate(texts, from: source, to: target)
    let translations = answers.map { answer in
      var item: JSONObject = [
        "translatedText": .string(format == "text" ? answer.text : answer.text.htmlEscaped),
        "model": .string(answer.engine),
      ]
      // Google returns the detected language only if the request has no source.
      if source == nil { item["detectedSourceLanguage"] = .string(answer.detectedSource ?? "und") }
      return JSONValue.object(item)
    }
    return data("translations", translations)
  }

  private func detect(_ request: ServiceRequest) throws(GoogleRefusal) -> ServiceResponse {
    try request.refuseParameters(besides: [])
    let texts = try texts(GoogleMessage(request.body, members: ["q"]))
    return data(
      "detections",
      texts.map { text in
        JSONValue.array([
          .object([
            "language": .string(translator.detect(text)), "confidence": .integer(1),
            "isReliable": .boolean(false),
          ])
        ])
      }
    )
  }

  private func languages(_ request: ServiceRequest) throws(GoogleRefusal) -> ServiceResponse {
    try request.refuseParameters(besides: ["target", "model"])
    let target = request[query: "target"]
    guard target.map(TranslationLanguages.isCode) != false else { throw .invalid("Invalid Value") }
    return data(
      "languages",
      TranslationLanguages.codes.map { code in
        var language: JSONObject = ["language": .string(code)]
        // Google returns names only if the request has a language for them.
        if let target {
          language["name"] = .string(TranslationLanguages.name(of: code, in: target))
        }
        return .object(language)
      }
    )
  }

  private func texts(_ body: GoogleMessage) throws(GoogleRefusal) -> [String] {
    guard let texts = try body.strings("q", orString: true), !texts.isEmpty else {
      throw GoogleRefusal(.invalidArgument, "Required Text", reason: "required")
    }
    return texts
  }

  private func data(_ name: String, _ values: [JSONValue]) -> ServiceResponse {
    .json(JSONValue.object(["data": .object([ByteKey(name): .array(values)])]))
  }
}

extension String {
  /// The text with HTML's special characters escaped, as in Google's default format.
  var htmlEscaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
