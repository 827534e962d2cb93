import Core
import HTTPService

/// A response of OpenAI's chat completions, complete or streamed.
struct ChatCompletion {
  private enum Message {
    case content(String)
    case call(id: String, name: String, arguments: String)
    case refusal(String)
  }

  private let id: String
  private let created: Int64
  private let message: Message
  private let finishReason: String
  private let usage: JSONValue

  /// Creates the engine's response to a request.
  ///
  /// - Parameters:
  ///   - callID: the ID of the tool call, if the response calls a tool.
  ///   - created: the time of creation, in seconds since 1970.
  init(
    of request: ReceivedChatRequest,
    by engine: RuleEngine,
    id: String,
    callID: String,
    created: Int64
  ) {
    self.id = id
    self.created = created
    let completion = request.prompt.completion(by: engine)
    let whole =
      switch completion {
      case .text(let text), .refusal(let text): text
      case .object(let value): value.line
      }
    let text = request.maximumTokens.map { TokenEstimate.cut(whole, to: $0) } ?? whole
    let isCut = text.utf8.count < whole.utf8.count
    var finishReason = "stop"
    switch (completion, request.tool) {
    case (.refusal, _): message = .refusal(text)
    case (_, let tool?):
      message = .call(id: callID, name: tool.name, arguments: text)
      if !tool.isNamed { finishReason = "tool_calls" }
    default: message = .content(text)
    }
    self.finishReason = isCut ? "length" : finishReason
    let tokens = TokenEstimate.tokens(in: text)
    usage = .object([
      "prompt_tokens": .integer(Int64(request.promptTokens)),
      "completion_tokens": .integer(Int64(tokens)),
      "total_tokens": .integer(Int64(request.promptTokens + tokens)),
      "prompt_tokens_details": .object(["cached_tokens": .integer(0)]),
      "completion_tokens_details": .object(["reasoning_tokens": .integer(0)]),
    ])
  }

  var json: JSONValue {
    var members: JSONObject = [
      "role": "assistant", "content": .null, "refusal": .null,
    ]
    switch message {
    case .content(let text): members["content"] = .string(text)
    case .refusal(let text): members["refusal"] = .string(text)
    case .call(let id, let name, let arguments):
      members["tool_calls"] = .array([
        .object([
          "id": .string(id), "type": "function",
          "function": .object(["name": .string(name), "arguments": .string(arguments)]),
        ])
      ])
    }
    let choice = JSONValue.object([
      "index": .integer(0), "message": .object(members), "logprobs": .null,
      "finish_reason": .string(finishReason),
    ])
    return envelope("chat.completion", choices: [choice], usage: usage)
  }

  /// Returns the response as a stream whose chunks are all available at once.
  ///
  /// The chunks are the role, the pieces of the text, the finish reason, and the usage if it was
  /// requested.
  func stream(withUsage: Bool) -> ServiceResponse {
    var events = ServerSentEvents()
    for delta in deltas { events.append(chunk(delta, finishReason: nil, withUsage: withUsage)) }
    events.append(chunk([:], finishReason: finishReason, withUsage: withUsage))
    if withUsage {
      events.append(envelope("chat.completion.chunk", choices: [], usage: usage))
    }
    events.append("[DONE]")
    return events.response
  }

  private var deltas: [JSONObject] {
    switch message {
    case .content(let text):
      [["role": "assistant", "content": "", "refusal": .null]]
        + TokenEstimate.pieces(of: text).map { ["content": .string($0)] }
    case .refusal(let text):
      [["role": "assistant", "content": .null, "refusal": ""]]
        + TokenEstimate.pieces(of: text).map { ["refusal": .string($0)] }
    case .call(let id, let name, let arguments):
      [
        [
          "role": "assistant", "content": .null, "refusal": .null,
          "tool_calls": call(
            ["name": .string(name), "arguments": ""],
            with: ["id": .string(id), "type": "function"]
          ),
        ]
      ]
        + TokenEstimate.pieces(of: arguments).map {
          ["tool_calls": call(["arguments": .string($0)])]
        }
    }
  }

  /// Returns a part of the only tool call.
  private func call(
    _ function: JSONObject,
    with members: JSONObject = [:]
  ) -> JSONValue {
    let part: JSONObject = ["index": .integer(0), "function": .object(function)]
    return .array([.object(part.merging(members) { _, new in new })])
  }

  private func chunk(
    _ delta: JSONObject,
    finishReason: String?,
    withUsage: Bool
  ) -> JSONValue {
    let choice = JSONValue.object([
      "index": .integer(0), "delta": .object(delta), "logprobs": .null,
      "finish_reason": finishReason.map(JSONValue.string) ?? .null,
    ])
    return envelope("chat.completion.chunk", choices: [choice], usage: withUsage ? .null : nil)
  }

  private func envelope(_ kind: String, choices: [JSONValue], usage: JSONValue?) -> JSONValue {
    var members: JSONObject = [
      "id": .string(id), "object": .string(kind), "created": .integer(created),
      "model": .string(RuleEngine.name), "choices": .array(choices), "system_fingerprint": .null,
    ]
    members["usage"] = usage
    return .object(members)
  }
}
