import Core
import HTTPService

/// A response of Anthropic's Messages API, complete or streamed.
struct AnsweredMessage {
  private enum Content {
    case text(String)
    case toolUse(id: String, name: String, input: JSONValue)
  }

  private let id: String
  private let content: Content
  private let stopReason: String
  private let inputTokens: Int
  private let outputTokens: Int

  /// Creates the engine's response to a request.
  ///
  /// - Parameter toolUseID: the ID of the tool use, if the response uses a tool.
  init(of request: MessagesRequest, by engine: RuleEngine, id: String, toolUseID: String) {
    self.id = id
    inputTokens = request.inputTokens
    let completion = request.prompt.completion(by: engine)
    let whole =
      switch completion {
      case .text(let text), .refusal(let text): text
      case .object(let value): value.line
      }
    let text = TokenEstimate.cut(whole, to: request.maximumTokens)
    let isCut = text.utf8.count < whole.utf8.count
    outputTokens = TokenEstimate.tokens(in: text)
    let reason: String
    switch (completion, request.tool) {
    case (.object(let value), let tool?):
      // The API returns only complete inputs, so a truncated input becomes an empty one.
      content = .toolUse(id: toolUseID, name: tool, input: isCut ? .object([:]) : value)
      reason = "tool_use"
    case (.refusal, _):
      content = .text(text)
      reason = "refusal"
    default:
      content = .text(text)
      reason = "end_turn"
    }
    stopReason = isCut ? "max_tokens" : reason
  }

  var json: JSONValue {
    message(content: [block(isFilled: true)], stopReason: stopReason, outputTokens: outputTokens)
  }

  /// Returns the response as a stream whose events are all available at once.
  ///
  /// The events are the message without content, the pieces of the only content block, the stop
  /// reason with the usage, and the end.
  func stream() -> ServiceResponse {
    var events = ServerSentEvents()
    func append(_ type: String, _ members: JSONObject) {
      let data = members.merging(["type": .string(type)]) { _, new in new }
      events.append(.object(data), name: type)
    }
    append(
      "message_start",
      ["message": message(content: [], stopReason: nil, outputTokens: 0)]
    )
    append(
      "content_block_start",
      ["index": .integer(0), "content_block": block(isFilled: false)]
    )
    for delta in deltas {
      append("content_block_delta", ["index": .integer(0), "delta": .object(delta)])
    }
    append("content_block_stop", ["index": .integer(0)])
    append(
      "message_delta",
      [
        "delta": .object(["stop_reason": .string(stopReason), "stop_sequence": .null]),
        "usage": .object(["output_tokens": .integer(Int64(outputTokens))]),
      ]
    )
    append("message_stop", [:])
    return events.response
  }

  private var deltas: [JSONObject] {
    switch content {
    case .text(let text):
      TokenEstimate.pieces(of: text).map { ["type": "text_delta", "text": .string($0)] }
    case .toolUse(_, _, let input):
      TokenEstimate.pieces(of: input.line).map {
        ["type": "input_json_delta", "partial_json": .string($0)]
      }
    }
  }

  private func block(isFilled: Bool) -> JSONValue {
    switch content {
    case .text(let text):
      .object(["type": "text", "text": .string(isFilled ? text : ""), "citations": .null])
    case .toolUse(let id, let name, let input):
      .object([
        "type": "tool_use", "id": .string(id), "name": .string(name),
        "input": isFilled ? input : .object([:]),
      ])
    }
  }

  private func message(
    content: [JSONValue],
    stopReason: String?,
    outputTokens: Int
  ) -> JSONValue {
    .object([
      "id": .string(id), "type": "message", "role": "assistant",
      "model": .string(RuleEngine.name), "content": .array(content),
      "stop_reason": stopReason.map(JSONValue.string) ?? .null, "stop_sequence": .null,
      "usage": .object([
        "input_tokens": .integer(Int64(inputTokens)),
        "output_tokens": .integer(Int64(outputTokens)),
        "cache_creation_input_tokens": .integer(0), "cache_read_input_tokens": .integer(0),
      ]),
    ])
  }
}
