import Core
import HTTPService
import ProviderFakes
import TestKit

/// Requests to the fakes of the translation providers.
struct TranslationCall {
  static let key = "a-key"

  private let fakes = ProviderFakes(
    translationKey: key,
    openAIKey: "o",
    anthropicKey: "a",
    now: { 1_000 },
    newID: { "id" }
  )

  func send(
    _ target: String,
    _ body: String = "",
    method: String = "POST",
    headers: [String: String] = ["x-goog-api-key": key, "content-type": "application/json"]
  ) async throws -> ServiceResponse {
    try await fakes.respond(
      to: ServiceRequest(method: method, target: target, headers: headers, body: Data(body.utf8))
    )
  }
}

extension ServiceResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
