import HTTPService
import JSONCoding
import RPCStatus

/// Cloud Translation v2, answered from the phrasebook.
///
/// What isn't in the book comes back marked, so that nobody takes it for a translation. `model`
/// names the engine, where Google says `nmt`.
struct TranslationDouble: Sendable {
  /// As Google's: texts in one request, and characters in all of them.
  private static let maximumTexts = 128
  private static let maximumCharacters = 30_000

  private let key: String
  private let usage: ProviderUsage
  private let translator = OfflineTranslator()

  init(key: String, usage: ProviderUsage) {
    self.key = key
    self.usage = usage
  }

  private struct Texts: Decodable {
    var texts: [String]

    /// One text, or an array of them.
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      texts =
        if let text = try? container.decode(String.self) {
          [text]
        } else {
          try container.decode([String].self)
        }
    }
  }

  private struct TranslateRequest: Decodable {
    var q: Texts
    var target: String
    var source: String?
    var format: String?
  }

  private struct DetectRequest: Decodable {
    var q: Texts
  }

  func respond(to request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    guard request.path.prefix(3) == ["language", "translate", "v2"] else {
      throw StatusError(.notFound, "Translation has no such path")
    }
    if let refusal = checkKey(request) { return refusal }
    switch (request.method, request.path.dropFirst(3)) {
    case ("POST", []): return try translate(request.json(TranslateRequest.self))
    case ("POST", ["detect"]): return try detect(request.json(DetectRequest.self))
    case ("GET", ["languages"]): return languages()
    default: throw StatusError(.notFound, "Translation has no such method")
    }
  }

  private func checkKey(_ request: ServiceRequest) -> ServiceResponse? {
    guard request.bearerToken == nil else { return nil }
    guard let given = request.headers["x-goog-api-key"] ?? request[query: "key"] else {
      return googleError(
        .permissionDenied,
        "Method doesn't allow unregistered callers (callers without established identity).",
        reason: "forbidden"
      )
    }
    guard given == key else {
      return googleError(
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
    return nil
  }

  private func translate(_ request: TranslateRequest) -> ServiceResponse {
    let texts = request.q.texts
    guard texts.count <= Self.maximumTexts else {
      return googleError(.invalidArgument, "Too many text segments", reason: "invalid")
    }
    guard texts.reduce(0, { $0 + $1.unicodeScalars.count }) <= Self.maximumCharacters else {
      return googleError(.invalidArgument, "Text too long", reason: "invalid")
    }
    let isText = request.format == "text"
    let codes = [request.target] + [request.source].compactMap(\.self)
    guard codes.allSatisfy(Self.isLanguage), request.source != request.target else {
      return googleError(.invalidArgument, "Invalid Value", reason: "invalid")
    }
    usage.count(translated: texts)
    let translations = texts.map { text in
      let answer = translator.translate(text, from: request.source, to: request.target)
      var item: [String: JSONValue] = [
        "translatedText": .string(isText ? answer.text : answer.text.htmlEscaped),
        "model": .string(answer.engine),
      ]
      // Google says what it detected only if it had to.
      if request.source == nil {
        item["detectedSourceLanguage"] = .string(answer.detectedSource ?? "und")
      }
      return JSONValue.object(item)
    }
    return .json(JSONValue.object(["data": .object(["translations": .array(translations)])]))
  }

  private func detect(_ request: DetectRequest) -> ServiceResponse {
    let detections = request.q.texts.map { text in
      JSONValue.array([
        .object([
          "language": .string(translator.detect(text)), "confidence": .integer(1),
          "isReliable": .boolean(false),
        ])
      ])
    }
    return .json(JSONValue.object(["data": .object(["detections": .array(detections)])]))
  }

  private func languages() -> ServiceResponse {
    let codes = Phrasebook.standard.languages.sorted()
    let languages = codes.map { JSONValue.object(["language": .string($0)]) }
    return .json(JSONValue.object(["data": .object(["languages": .array(languages)])]))
  }

  /// Google refuses regional codes other than a few.
  private static func isLanguage(_ code: String) -> Bool {
    let regional: Set<String> = [
      "zh-CN", "zh-TW", "pt-BR", "pt-PT", "fr-CA", "mni-Mtei", "ms-Arab",
    ]
    return regional.contains(code)
      || (2...3).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
}

extension String {
  /// As Google answers when nobody asked for `format=text`.
  fileprivate var htmlEscaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
