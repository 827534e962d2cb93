import Core
import HTTPService

/// The fake of a LibreTranslate server.
///
/// In a response, the fake names the engine of each text in `model`, a field that the real server
/// doesn't have.
struct LibreTranslateFake: Sendable {
  private static let maximumTexts = 50
  private static let maximumCharacters = 30_000

  private let key: String
  private let usage: ProviderUsage
  private let translator: OfflineTranslator

  /// Creates the fake.
  ///
  /// - Parameter key: the only API key that the fake accepts; a request may omit it.
  init(key: String, usage: ProviderUsage, translator: OfflineTranslator) {
    self.key = key
    self.usage = usage
    self.translator = translator
  }

  /// The paths, which have one segment each.
  static let paths = ["translate", "detect", "languages"]

  private struct Refusal: Error {
    var status: Int
    var message: String

    init(_ message: String, status: Int = 400) {
      (self.status, self.message) = (status, message)
    }
  }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    do throws(Refusal) {
      switch (request.method, request.path) {
      case ("POST", ["translate"]): return try await translate(members(of: request))
      case ("POST", ["detect"]): return try detect(members(of: request))
      case ("GET", ["languages"]): return languages
      default: break
      }
    } catch {
      return .json(JSONValue.object(["error": .string(error.message)]), status: error.status)
    }
    throw .notServed(by: "the LibreTranslate fake", "method")
  }

  /// Returns the fields in a request's body, which is a JSON object or a form.
  private func members(of request: ServiceRequest) throws(Refusal) -> JSONObject {
    let members: JSONObject
    if request.headers["content-type"]?.hasPrefix("application/json") == true {
      guard let object = (try? JSONValue(parsing: request.body))?.object else {
        throw Refusal("Invalid JSON format")
      }
      members = object
    } else if let form = try? request.form() {
      members = JSONObject(uniqueKeysWithValues: form.map { (ByteKey($0), .string($1)) })
    } else {
      throw Refusal("Invalid request: missing q parameter")
    }
    let given = members["api_key"]?.string ?? ""
    guard given.isEmpty || given == key else { throw Refusal("Invalid API key", status: 403) }
    return members
  }

  private func translate(
    _ members: JSONObject
  ) async throws(Refusal) -> ServiceResponse {
    let (texts, isBatch) = try texts(members)
    let source = try string("source", in: members)
    let target = try string("target", in: members)
    let format = members["format"]?.string ?? "text"
    for (size, limit) in [
      (texts.count, Self.maximumTexts),
      (texts.reduce(0) { $0 + $1.unicodeScalars.count }, Self.maximumCharacters),
    ] where size > limit {
      throw Refusal("Invalid request: request (\(size)) exceeds text limit (\(limit))")
    }
    for code in [source, target] where code != "auto" || code == target {
      guard (2...3).contains(code.utf8.count), TranslationLanguages.isCode(code) else {
        throw Refusal("\(quoted(code)) is not supported")
      }
    }
    guard ["text", "html"].contains(format) else {
      throw Refusal("\(quoted(format)) format is not supported")
    }
    usage.count(translated: texts)
    let answers = await translator.translate(
      texts,
      from: source == "auto" ? nil : source,
      to: target
    )
    let translations = answers.map { JSONValue.string($0.text) }
    let engines = answers.map { JSONValue.string($0.engine) }
    let detected = answers.map { detection($0.detectedSource ?? "en") }
    var response: JSONObject = [
      "translatedText": isBatch ? .array(translations) : translations[0],
      "model": isBatch ? .array(engines) : engines[0],
    ]
    if source == "auto" { response["detectedLanguage"] = isBatch ? .array(detected) : detected[0] }
    return .json(JSONValue.object(response))
  }

  private func detect(_ members: JSONObject) throws(Refusal) -> ServiceResponse {
    let (texts, _) = try texts(members)
    return .json(JSONValue.array(texts.prefix(1).map { detection(translator.detect($0)) }))
  }

  private func detection(_ code: String) -> JSONValue {
    .object(["confidence": .integer(90), "language": .string(code)])
  }

  private var languages: ServiceResponse {
    let codes = TranslationLanguages.codes
    return .json(
      JSONValue.array(
        codes.map { code in
          .object([
            "code": .string(code),
            "name": .string(TranslationLanguages.name(of: code, in: "en")),
            "targets": .array(codes.map(JSONValue.string)),
          ])
        }
      )
    )
  }

  private func string(
    _ name: String,
    in members: JSONObject
  ) throws(Refusal) -> String {
    guard let text = members[name]?.string, !text.isEmpty else {
      throw Refusal("Invalid request: missing \(name) parameter")
    }
    return text
  }

  private func texts(_ members: JSONObject) throws(Refusal) -> ([String], Bool) {
    if let texts = members["q"]?.array?.compactMap(\.string), !texts.isEmpty {
      return (texts, true)
    }
    return ([try string("q", in: members)], false)
  }
}
