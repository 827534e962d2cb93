import HTTPTransport
import JSONCoding
import Platform
package import RPCStatus

/// A model behind OpenAI's chat completions, or a server that speaks like it.
///
/// Source: platform.openai.com/docs/api-reference/chat/create.
package struct ChatCompletionsModel: LanguageModel {
  private let baseURL: String
  private let key: Secret
  private let model: String
  private let session: ProviderSession

  /// - Parameters:
  ///   - baseURL: OPENAI_BASE_URL, with `/v1` as OpenAI's own clients have it.
  ///   - model: OPENAI_MODEL.
  package init(baseURL: String?, key: Secret, model: String?, session: ProviderSession) {
    self.baseURL = (baseURL ?? "https://api.openai.com/v1").withoutTrailingSlashes
    self.key = key
    self.model = model ?? "gpt-4o-mini"
    self.session = session
  }

  package func complete(
    _ prompt: Prompt,
    onText: (@Sendable (String) -> Void)? = nil
  ) async throws(StatusError) -> Completion {
    let response = try await session.post(
      "\(baseURL)/chat/completions",
      Request(prompt, model: model, isStreamed: onText != nil),
      headers: [HTTPHeader("Authorization", "Bearer \(key.reveal())")],
      address: "OPENAI_BASE_URL",
      key: "OPENAI_API_KEY",
      retry: ModelProvider.retry(unless: Self.isOutOfQuota),
      maximumResponseBytes: ModelProvider.maximumResponseBytes,
      receiver: onText.map { StreamedText(delta: Response.delta, onText: $0) }
    )
    guard response.status == 200 else { return try refusal(response) }
    guard let body = try Response(response), let choice = body.choices.first else {
      throw ModelProvider.nonsense
    }
    return Completion(
      ending: Self.ending(of: choice, prompt: prompt),
      engine: ModelProvider.engine(body.model?.value, asked: model),
      promptTokens: body.usage?.promptTokens?.value ?? 0,
      cachedTokens: body.usage?.cachedTokens ?? 0,
      completionTokens: body.usage?.completionTokens?.value ?? 0
    )
  }

  /// First how it ended, then whether it was declined, then what it says.
  private static func ending(of choice: Response.Choice, prompt: Prompt) -> Completion.Ending {
    switch choice.finishReason {
    case "length": return .truncated
    case "content_filter": return .refused
    default: break
    }
    guard choice.message.refusal ?? "" == "" else { return .refused }
    do throws(StatusError) {
      return .answered(
        try prompt.template.output.check(Data((choice.message.content ?? "").utf8))
      )
    } catch {
      return .malformed(error.message)
    }
  }

  /// What a response that is no answer comes to: a filter's refusal is one of the model's.
  private func refusal(_ response: HTTPResponse) throws(StatusError) -> Completion {
    let codes = Self.codes(response)
    if response.status == 400 {
      if codes.contains("content_filter") { return Completion(ending: .refused, engine: model) }
      if !codes.isDisjoint(with: ["context_length_exceeded", "exceed_context_size_error"]) {
        throw StatusError(
          .failedPrecondition,
          "the conversation is too long for \(ModelProvider.name)"
        )
      }
    }
    if Self.isOutOfQuota(response) {
      throw .configuration(
        .resourceExhausted,
        "\(ModelProvider.name)'s quota for OPENAI_API_KEY is used up"
      )
    }
    throw ModelProvider.failure(response, variables: "OPENAI")
  }

  /// A 429 that no waiting mends: the account has no money.
  private static func isOutOfQuota(_ response: HTTPResponse) -> Bool {
    response.status == 429 && codes(response).contains("insufficient_quota")
  }

  /// How a provider calls its error, in either place.
  private static func codes(_ response: HTTPResponse) -> Set<String> {
    let body = try? JSON.decode(Failure.self, from: response.body, what: "the error")
    return Set([body?.error.type, body?.error.code].compactMap(\.self))
  }
}

private struct Request: Encodable {
  struct Message: Encodable {
    var role: String
    var content: String
  }

  struct Format: Encodable {
    struct Schema: Encodable {
      var name: String
      var strict = true
      var schema: JSONSchema
    }
    var type = "json_schema"
    var schema: Schema

    private enum CodingKeys: String, CodingKey {
      case type
      case schema = "json_schema"
    }
  }

  struct StreamOptions: Encodable {
    var includesUsage = true

    private enum CodingKeys: String, CodingKey { case includesUsage = "include_usage" }
  }

  var model: String
  var messages: [Message]
  var format: Format
  var maximumTokens: Int
  var stream: Bool?
  var streamOptions: StreamOptions?

  init(_ prompt: Prompt, model: String, isStreamed: Bool) {
    self.model = model
    if isStreamed {
      stream = true
      streamOptions = StreamOptions()
    }
    // `system` rather than `developer`: servers that speak like OpenAI's know no other.
    messages = [
      Message(role: "system", content: prompt.instructions),
      Message(role: "user", content: prompt.inputText),
    ]
    format = Format(schema: .init(name: prompt.template.name, schema: prompt.template.output))
    maximumTokens = prompt.template.maximumOutputTokens
  }

  private enum CodingKeys: String, CodingKey {
    case model, messages, stream
    case format = "response_format"
    case maximumTokens = "max_completion_tokens"
    case streamOptions = "stream_options"
  }
}

private struct Response: Decodable {
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
  }

  struct Usage: Decodable {
    struct Details: Decodable {
      var cachedTokens: TokenCount?

      private enum CodingKeys: String, CodingKey { case cachedTokens = "cached_tokens" }
    }

    var promptTokens: TokenCount?
    var completionTokens: TokenCount?
    /// Servers that speak like OpenAI's have their own ideas of the details, or none.
    var cachedTokens: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      promptTokens = try container.decodeIfPresent(TokenCount.self, forKey: .promptTokens)
      completionTokens = try container.decodeIfPresent(TokenCount.self, forKey: .completionTokens)
      let details = try? container.decodeIfPresent(Details.self, forKey: .details)
      cachedTokens = details?.cachedTokens?.value ?? 0
    }

    private enum CodingKeys: String, CodingKey {
      case promptTokens = "prompt_tokens"
      case completionTokens = "completion_tokens"
      case details = "prompt_tokens_details"
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
    var delta: Response.Message?
    var finishReason: String?

    private enum CodingKeys: String, CodingKey {
      case delta
      case finishReason = "finish_reason"
    }
  }

  var choices: [Choice]?
  var model: ModelName?
  var usage: Response.Usage?
  var error: Failure.Body?

  init?(_ event: Data) {
    guard let chunk = try? JSON.decode(Chunk.self, from: event, what: "a chunk") else { return nil }
    self = chunk
  }
}

extension Response {
  /// What an event adds to the answer.
  static func delta(_ event: Data) -> String? { Chunk(event)?.choices?.first?.delta?.content }

  /// - Returns: nil for what is no answer.
  /// - Throws: `UNAVAILABLE` if the provider broke off its answer.
  init?(_ response: HTTPResponse) throws(StatusError) {
    guard response.isEventStream else {
      // A server may not know of streams.
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
      choice.finishReason = part.finishReason ?? choice.finishReason
    }
    guard choice.finishReason != nil else { throw ModelProvider.brokenOff }
    choices = [choice]
  }
}

/// `code` is a string, a number or null, by the server: what isn't a string says nothing here.
private struct Failure: Decodable {
  struct Body: Decodable {
    var type: String?
    var code: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      type = try? container.decodeIfPresent(String.self, forKey: .type)
      code = try? container.decodeIfPresent(String.self, forKey: .code)
    }

    private enum CodingKeys: String, CodingKey { case type, code }
  }

  var error: Body
}
