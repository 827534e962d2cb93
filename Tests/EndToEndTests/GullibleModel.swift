import Core
import HTTPClient
import TestKit

/// A server with OpenAI's chat completions API and two models.
///
/// The model `honest` follows the function's instructions. The model `gullible` obeys the injected
/// text.
final class GullibleModel: Sendable {
  /// The API key. It must appear only in the `Authorization` header field of requests.
  static let key = "key-of-the-model"

  private let server: LoopbackServer

  init(_ injection: Injection) throws {
    server = try LoopbackServer { request, connection in
      let content = Self.answer(to: request.json, injection)
      let body = JSONValue.object([
        "model": request.json["model"] ?? .null,
        "choices": .array([
          .object([
            "finish_reason": .string("stop"),
            "message": .object(["role": .string("assistant"), "content": .string(content)]),
          ])
        ]),
      ])
      return connection.answer(body: Data(body.text.utf8))
    }
  }

  func stop() { server.stop() }

  /// The requests that the server has received.
  var requests: [ReceivedRequest] { server.requests }

  /// Returns the environment variables that make a function use this server.
  func environment(model: String) -> [String: String] {
    ["OPENAI_BASE_URL": server.url("/v1"), "OPENAI_API_KEY": Self.key, "OPENAI_MODEL": model]
  }

  private static func answer(to request: JSONValue, _ injection: Injection) -> String {
    let schema = request.at("response_format.json_schema.name")?.string ?? ""
    guard request["model"]?.string == "gullible" else { return output(schema, saying: nil).text }
    switch injection.obedience {
    case .content(let content): return content
    case .says(let text): return output(schema, saying: text).text
    case .instructions:
      let system = request.at("messages.0.content")?.string ?? ""
      return output(schema, saying: String(system.prefix(100))).text
    case .members(let members):
      let others = (try? json(members).object) ?? [:]
      let own = output(schema, saying: nil).object ?? [:]
      return JSONValue.object(own.merging(others) { $1 }).text
    }
  }

  /// Returns a valid answer for the schema.
  ///
  /// - Parameter text: the text that people would read, or `nil` for a harmless text.
  private static func output(_ schema: String, saying text: String?) -> JSONValue {
    let text = text.map(JSONValue.string)
    switch schema {
    case "message_analysis":
      return .object([
        "hasCulturalContext": .boolean(text != nil), "idiomDetected": .null,
        "type": .string(text == nil ? "none" : "slang"), "explanation": text ?? .string(""),
        "relevance": .string(text == nil ? "low" : "high"), "suggestedEquivalent": .null,
      ])
    case "reply_suggestions":
      let pairs = [("Sì, volentieri!", "Yes, gladly!"), ("Non posso, scusa.", "I can't, sorry.")]
      let last: JSONObject = [
        "text": text ?? .string("A che ora?"), "translation": .string("At what time?"),
      ]
      let suggestions: [JSONObject] = pairs.map {
        ["text": .string($0), "translation": .string($1)]
      }
      return .object(["suggestions": .array((suggestions + [last]).map(JSONValue.object))])
    default:
      return .object([
        "answer": text ?? .string("[P1] vuole vedersi alle sei."), "found": .boolean(true),
        "sources": .array([.string("m1")]),
      ])
    }
  }
}

extension ReceivedRequest {
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}
