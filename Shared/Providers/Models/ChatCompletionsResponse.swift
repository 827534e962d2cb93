import Core
import HTTPClient

/// A response of chat completions, whole or as a stream.
///
/// Fields that some servers don't send are optional.
struct ChatCompletionsResponse: Decodable {
  struct Choice: Decodable {
    var message: Message
    var finishReason: String?

    private enum CodingKeys: String, CodingKey {
      case message
      case finishReason = "finish_reason"
    }
  }

  struct Message: Decodable {
    var content: String?
    var refusal: String?
    /// A Boolean value that indicates whether the message has reasoning, in any of the servers'
    /// forms.
    var isThoughtful = false

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      content = try container.decodeIfPresent(String.self, forKey: .content)
      refusal = try container.decodeIfPresent(String.self, forKey: .refusal)
      func thoughts(_ key: CodingKeys) -> String {
        (try? container.decodeIfPresent(String.self, forKey: key)) ?? ""
      }
      isThoughtful =
        !thoughts(.reasoning).isEmpty || !thoughts(.reasoningContent).isEmpty
        || AnswerText.hasThoughts(content ?? "")
    }

    private enum CodingKeys: String, CodingKey {
      case content, refusal, reasoning
      case reasoningContent = "reasoning_content"
    }
  }

  struct Usage: Decodable {
    struct Details: Decodable {
      var cachedTokens: TokenCount?
      var reasoningTokens: TokenCount?

      private enum CodingKeys: String, CodingKey {
        case cachedTokens = "cached_tokens"
        case reasoningTokens = "reasoning_tokens"
      }
    }

    var promptTokens: TokenCount?
    var completionTokens: TokenCount?
    /// The number of cached prompt tokens, or 0. Compatible servers have other details, or none.
    var cachedTokens: Int
    /// The number of completion tokens for reasoning that isn't shown.
    var reasoningTokens: Int

    var isCounted: Bool { promptTokens != nil || completionTokens != nil }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      promptTokens = try container.decodeIfPresent(TokenCount.self, forKey: .promptTokens)
      completionTokens = try container.decodeIfPresent(TokenCount.self, forKey: .completionTokens)
      func details(_ key: CodingKeys) -> Details? {
        try? container.decodeIfPresent(Details.self, forKey: key)
      }
      cachedTokens = details(.promptDetails)?.cachedTokens?.value ?? 0
      reasoningTokens = details(.completionDetails)?.reasoningTokens?.value ?? 0
    }

    private enum CodingKeys: String, CodingKey {
      case promptTokens = "prompt_tokens"
      case completionTokens = "completion_tokens"
      case promptDetails = "prompt_tokens_details"
      case completionDetails = "completion_tokens_details"
    }
  }

  var choices: [Choice]
  var model: ModelName?
  var usage: Usage?
}

// MARK: Streams

/// A part of a streamed response.
private struct Chunk: Decodable {
  struct Choice: Decodable {
    var delta: ChatCompletionsResponse.Message?
    var finishReason: String?

    private enum CodingKeys: String, CodingKey {
      case delta
      case finishReason = "finish_reason"
    }
  }

  var choices: [Choice]?
  var model: ModelName?
  var usage: ChatCompletionsResponse.Usage?
  var error: ChunkError?

  /// An error with any content. It shows that the answer is incomplete.
  struct ChunkError: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  init?(_ event: Data) {
    guard let chunk = try? JSON.decode(Chunk.self, from: event, what: "a chunk") else { return nil }
    self = chunk
  }
}

extension ChatCompletionsResponse {
  /// Returns the text that an event adds to the answer.
  static func delta(_ event: Data) -> String? { Chunk(event)?.choices?.first?.delta?.content }

  /// Creates a response, or `nil` if the body isn't one.
  ///
  /// - Throws: `UNAVAILABLE` if the provider broke off its answer.
  init?(_ response: HTTPResponse) throws(StatusError) {
    guard response.isEventStream else {
      // Some servers don't support streams.
      guard let body = try? JSON.decode(Self.self, from: response.body, what: "the answer") else {
        return nil
      }
      self = body
      return
    }
    var choice = Choice(message: Message())
    choices = []
    for chunk in EventStream.events(in: response.body).lazy.compactMap(Chunk.init) {
      guard chunk.error == nil else { throw ModelProvider.brokenOff }
      model = chunk.model ?? model
      usage = chunk.usage ?? usage
      guard let part = chunk.choices?.first else { continue }
      if let text = part.delta?.content {
        choice.message.content = (choice.message.content ?? "") + text
      }
      if let text = part.delta?.refusal {
        choice.message.refusal = (choice.message.refusal ?? "") + text
      }
      if part.delta?.isThoughtful == true { choice.message.isThoughtful = true }
      choice.finishReason = part.finishReason ?? choice.finishReason
    }
    guard choice.finishReason != nil else { throw ModelProvider.brokenOff }
    choices = [choice]
  }
}
