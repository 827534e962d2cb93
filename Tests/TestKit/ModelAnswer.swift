package import Core
import HTTPClient

/// A scripted response to one chat completion request of OpenAI's API.
package struct ModelAnswer: Sendable {
  package var answer: ScriptedAnswer

  /// Creates a model's answer from any HTTP response, such as an error.
  package init(_ answer: ScriptedAnswer) { self.answer = answer }

  /// Creates a chat completion in OpenAI's format with this content.
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
  /// Creates a server that answers the requests with these answers in order, then repeats the last.
  package convenience init(model answers: [ModelAnswer]) throws {
    try self.init(answers: answers.map(\.answer))
  }

  /// Creates a server that gives every request the same answer after calling `wait`.
  ///
  /// `wait` may block, because it runs on a thread of the server.
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

  /// The bodies of the received requests as JSON.
  package var bodies: [JSONValue] {
    requests.map { (try? JSONValue(parsing: $0.body)) ?? .null }
  }
}
