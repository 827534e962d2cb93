package import Core
import HTTPClient

/// The answer to one request of a model behind OpenAI's chat completions.
package struct ModelAnswer: Sendable {
  package var answer: ScriptedAnswer

  /// Creates any answer of an HTTP server.
  package init(_ answer: ScriptedAnswer) { self.answer = answer }

  /// Creates a completion with this content in OpenAI's format.
  package init(
    content: String?,
    finishReason: String = "stop",
    refusal: String? = nil
  ) {
    let message: JSONValue = .object([
      "role": .string("assistant"), "content": content.map(JSONValue.string) ?? .null,
      "refusal": refusal.map(JSONValue.string) ?? .null,
    ])
    let completion: JSONValue = .object([
      "id": .string("chatcmpl-1"), "object": .string("chat.completion"),
      "created": .integer(1_700_000_000), "model": .string("scripted"),
      "choices": .array([
        .object([
          "index": .integer(0), "message": message, "finish_reason": .string(finishReason),
          "logprobs": .null,
        ])
      ]),
      "usage": .object([
        "prompt_tokens": .integer(100), "completion_tokens": .integer(10),
        "total_tokens": .integer(110),
      ]),
    ])
    answer = ScriptedAnswer(
      200,
      headers: ["Content-Type: application/json"],
      completion.text
    )
  }
}

extension LoopbackServer {
  /// Creates a model that gives these answers one after the other; the last one answers all later
  /// requests.
  package convenience init(model answers: [ModelAnswer]) throws {
    try self.init(answers: answers.map(\.answer))
  }

  /// Creates a model that always gives the same answer, each time after `wait` has returned on its
  /// own thread.
  package convenience init(
    model answer: ModelAnswer,
    after wait: @escaping @Sendable () -> Void
  ) throws {
    let answer = answer.answer
    try self.init { _, connection in
      wait()
      return connection.answer(
        status: answer.status,
        headers: answer.headers,
        body: Data(answer.body.utf8)
      )
    }
  }

  /// The bodies of the requests so far.
  package var bodies: [JSONValue] {
    requests.map { (try? JSONValue(parsing: $0.body)) ?? .null }
  }
}
