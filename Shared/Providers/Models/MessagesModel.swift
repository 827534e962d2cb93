package import Core
import HTTPClient

/// A model behind Anthropic's Messages API. The model must use a tool, and the tool's input is the
/// answer.
///
/// Source: docs.anthropic.com/en/api/messages and …/tool-use.
package struct MessagesModel: LanguageModel {
  private let baseURL: String
  private let key: Secret?
  private let model: String
  private let session: ProviderSession

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - baseURL: ANTHROPIC_BASE_URL, without `/v1` like in Anthropic's clients.
  ///   - key: the API key, or `nil` for a server that requires none.
  ///   - model: ANTHROPIC_MODEL.
  package init(baseURL: String?, key: Secret?, model: String?, session: ProviderSession) {
    self.baseURL = (baseURL ?? "https://api.anthropic.com").withoutTrailingSlashes
    self.key = key
    self.model = model ?? "claude-haiku-4-5"
    self.session = session
  }

  package func complete(
    _ prompt: Prompt,
    onText: (@Sendable (String) -> Void)? = nil
  ) async throws(StatusError) -> Completion {
    let response = try await session.send(
      "\(baseURL)/v1/messages",
      try Request(prompt, model: model, isStreamed: onText != nil),
      headers: [key.map { HTTPHeader("x-api-key", $0.reveal()) }].compactMap(\.self)
        + [HTTPHeader("anthropic-version", "2023-06-01")],
      address: "ANTHROPIC_BASE_URL",
      key: "ANTHROPIC_API_KEY",
      retry: ModelProvider.retry,
      maximumResponseBytes: ModelProvider.maximumResponseBytes,
      receiver: onText.map { StreamedText(delta: StreamedMessage.delta, onText: $0) }
    )
    guard response.status == 200 else {
      throw ModelProvider.failure(response, variables: "ANTHROPIC")
    }
    guard !response.isEventStream else {
      return try StreamedMessage(response.body).completion(of: prompt, asked: model)
    }
    guard let body = try? JSON.decode(Response.self, from: response.body, what: "the answer") else {
      throw ModelProvider.nonsense
    }
    return Completion(
      ending: body.ending(of: prompt.template),
      engine: ModelProvider.engine(body.model?.value, asked: model),
      promptTokens: body.usage?.promptTokens ?? 0,
      cachedTokens: body.usage?.cachedTokens?.value ?? 0,
      completionTokens: body.usage?.outputTokens?.value ?? 0,
      isCounted: body.usage?.isCounted ?? false
    )
  }
}

extension MessagesModel {
  /// Returns the ending that a stop reason implies, or `nil` if the ending depends on the answer's
  /// content.
  static func ending(of stopReason: String?) -> Completion.Ending? {
    switch stopReason {
    case "max_tokens", "model_context_window_exceeded": .truncated
    case "refusal": .refused
    default: nil
    }
  }

  static let unusedTool = Completion.Ending.malformed(
    "the answer does not use the tool it was given"
  )
}

/// The token usage of a response from Anthropic.
struct MessagesUsage: Decodable {
  /// The number of prompt tokens that weren't cached.
  var inputTokens: TokenCount?
  var cachedTokens: TokenCount?
  var outputTokens: TokenCount?

  var promptTokens: Int { (inputTokens?.value ?? 0) + (cachedTokens?.value ?? 0) }

  var isCounted: Bool { inputTokens != nil || outputTokens != nil }

  /// Merges a later usage of the same stream. A stream reports its counts in several events.
  mutating func merge(_ later: MessagesUsage) {
    inputTokens = later.inputTokens ?? inputTokens
    cachedTokens = later.cachedTokens ?? cachedTokens
    outputTokens = later.outputTokens ?? outputTokens
  }

  private enum CodingKeys: String, CodingKey {
    case inputTokens = "input_tokens"
    case cachedTokens = "cache_read_input_tokens"
    case outputTokens = "output_tokens"
  }
}

private struct Request: Encodable {
  struct Message: Encodable {
    var role = "user"
    var content: String
  }

  struct Tool: Encodable {
    var name: String
    var description = "Give the answer."
    var schema: JSONSchema

    private enum CodingKeys: String, CodingKey {
      case name, description
      case schema = "input_schema"
    }
  }

  struct Choice: Encodable {
    var type = "tool"
    var name: String
    var disablesParallelUse = true

    private enum CodingKeys: String, CodingKey {
      case type, name
      case disablesParallelUse = "disable_parallel_tool_use"
    }
  }

  var model: String
  var system: String
  var messages: [Message]
  var tools: [Tool]
  var toolChoice: Choice
  var maximumTokens: Int
  var stream: Bool?

  init(_ prompt: Prompt, model: String, isStreamed: Bool) throws(StatusError) {
    self.model = model
    stream = isStreamed ? true : nil
    let template = prompt.template
    system = try prompt.instructions()
    messages = [Message(content: prompt.inputText)]
    tools = [Tool(name: template.name, schema: template.output)]
    toolChoice = Choice(name: template.name)
    maximumTokens = template.maximumOutputTokens
  }

  private enum CodingKeys: String, CodingKey {
    case model, system, messages, tools, stream
    case toolChoice = "tool_choice"
    case maximumTokens = "max_tokens"
  }
}

private struct Response: Decodable {
  /// A block of content.
  struct Block: Decodable {
    let type: String
    let name: String?
    /// The input's decoder. The block doesn't know the prompt's schema.
    let input: any Decoder

    private enum CodingKeys: CodingKey { case type, name, input }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      type = try container.decode(String.self, forKey: .type)
      name = try container.decodeIfPresent(String.self, forKey: .name)
      input = try container.superDecoder(forKey: .input)
    }
  }

  var model: ModelName?
  var usage: MessagesUsage?
  private var stopReason: String?
  private var content: [Block]

  private enum CodingKeys: String, CodingKey {
    case model, usage, content
    case stopReason = "stop_reason"
  }

  /// Returns the ending with the first tool use as the answer. Blocks of other types, such as text,
  /// are ignored.
  func ending(of template: Prompt.Template) -> Completion.Ending {
    if let ending = MessagesModel.ending(of: stopReason) { return ending }
    let answer = content.first { $0.type == "tool_use" && $0.name == template.name }
    guard let answer else { return MessagesModel.unusedTool }
    do {
      return .answered(try JSON.encode(template.output.value(from: answer.input)))
    } catch let error as DecodingError {
      return .malformed("the answer \(error.explanation)")
    } catch {
      return .malformed("the answer can't be encoded")
    }
  }
}
