import Core
import TestKit
import Testing

/// A server with OpenAI's API that doesn't accept some fields of requests.
struct PickyServer: Sendable, CustomTestStringConvertible {
  typealias Rule = @Sendable (JSONValue) -> ScriptedAnswer?

  var testDescription: String
  /// The expected number of requests, including the first one that the server accepts.
  var requests: Int
  /// A closure that returns the server's refusal of a request, or `nil` if the server accepts it.
  var refusal: Rule

  init(_ description: String, requests: Int = 2, _ refusal: @escaping Rule) {
    testDescription = description
    self.requests = requests
    self.refusal = refusal
  }

  /// - Parameter answer: a closure that returns the response to an accepted request.
  func started(
    answering answer: @escaping @Sendable (JSONValue) -> ScriptedAnswer
  ) throws -> LoopbackServer {
    let refusal = refusal
    return try LoopbackServer { request, connection in
      let body = (try? JSONValue(parsing: request.body)) ?? .null
      let answer = refusal(body) ?? answer(body)
      return connection.answer(
        status: answer.status,
        headers: answer.headers,
        body: Data(answer.body.utf8)
      )
    }
  }

  /// Returns a refusal in OpenAI's form.
  private static func error(_ message: String, param: String = "null") -> ScriptedAnswer {
    ScriptedAnswer(
      400,
      #"{"error":{"message":"\#(message)","type":"invalid_request_error","param":\#(param),"#
        + #""code":null}}"#
    )
  }

  private static func format(_ request: JSONValue) -> String? {
    request.at("response_format.type")?.string
  }

  /// Returns FastAPI's error for unknown fields. It lists all of them.
  ///
  /// It also repeats the fields' values, which the client must ignore.
  private static func violations(
    _ request: JSONValue,
    _ known: Set<String>
  ) -> ScriptedAnswer? {
    let extra = (request.object ?? [:]).keys.map(\.string).filter { !known.contains($0) }.sorted()
    guard !extra.isEmpty else { return nil }
    let list = extra.map {
      #"{"type":"extra_forbidden","loc":["body","\#($0)"],"#
        + #""msg":"Extra inputs are not permitted","input":"json_schema"}"#
    }
    return ScriptedAnswer(422, #"{"detail":[\#(list.joined(separator: ","))]}"#)
  }

  static let all = [
    PickyServer("a model of OpenAI's without schemas") {
      format($0) == "json_schema"
        ? error(
          "Invalid parameter: 'response_format' of type 'json_schema' is not supported.",
          param: #""response_format""#
        ) : nil
    },
    PickyServer("DeepSeek") {
      format($0) == "json_schema"
        ? error("This response_format type is unavailable now") : nil
    },
    PickyServer("a server without formats", requests: 3) {
      format($0).map { ScriptedAnswer(400, #"{"error":"no grammar for \#($0)"}"#) }
    },
    PickyServer("a server without formats, that isn't built", requests: 3) {
      $0["response_format"].map { _ in
        ScriptedAnswer(501, #"{"error":{"code":501,"message":"response_format"}}"#)
      }
    },
    PickyServer("Mistral") {
      violations($0, ["messages", "model", "response_format", "max_tokens", "stream"])
    },
    PickyServer("a server that knows the least", requests: 3) {
      violations($0, ["messages", "model", "max_tokens", "stream"])
    },
    PickyServer("older Azure") {
      $0["max_completion_tokens"] == nil
        ? nil : error("Unrecognized request argument supplied: max_completion_tokens")
    },
    PickyServer("Groq") {
      $0["store"] == nil ? nil : error("property 'store' is unsupported")
    },
    PickyServer("older vLLM") { request in
      guard request["store"] != nil else { return nil }
      return ScriptedAnswer(
        400,
        #"{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'store')}]","#
          + #""type":"BadRequestError","param":null,"code":400}"#
      )
    },
  ]
}
