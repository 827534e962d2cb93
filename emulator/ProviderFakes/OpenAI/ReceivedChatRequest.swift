import Core

/// A request to OpenAI's chat completions, validated as strictly as the API validates it.
///
/// If a request has an argument that the API supports and the fake doesn't, the error names the
/// argument.
struct ReceivedChatRequest {
  /// A function that the answer must call.
  struct ForcedTool {
    var name: String
    /// A Boolean value that indicates whether `tool_choice` names this function. Otherwise
    /// `tool_choice` requires any function.
    var isNamed: Bool
  }

  var prompt: ModelPrompt
  /// The estimated number of tokens in the messages.
  var promptTokens: Int
  /// The maximum number of tokens in the answer, or `nil` for no limit.
  var maximumTokens: Int?
  var tool: ForcedTool?
  var isStreamed: Bool
  var streamsUsage: Bool

  private static let contextLength = 128_000

  init(_ body: JSONValue) throws(OpenAIError) {
    guard let members = body.members else {
      throw OpenAIError(message: "The body of the request is not a JSON object.")
    }
    try Self.checkNames(of: members)
    guard let model = members["model"] else { throw .missing("model") }
    guard model.string?.isEmpty == false else {
      throw .type(of: "model", expected: "a model ID", model)
    }
    try Self.checkScalars(in: members)
    let messages = try ChatMessages(members["messages"])
    promptTokens = messages.tokens
    guard promptTokens <= Self.contextLength else {
      throw OpenAIError(
        message: "This model's maximum context length is \(Self.contextLength) tokens. However, "
          + "your messages resulted in \(promptTokens) tokens. Please reduce the length of the "
          + "messages.",
        param: "messages",
        code: "context_length_exceeded"
      )
    }
    let tools = try ChatTools(members)
    tool = tools.forced
    var form = try ChatResponseFormat.form(members["response_format"], messages: messages)
    if let tool { form = .object(schema: tools.parameters[tool.name]) }
    prompt = ModelPrompt(text: messages.lastUserText, form: form)
    maximumTokens = (members["max_completion_tokens"] ?? members["max_tokens"])?.wholeNumber
    isStreamed = members["stream"] == .boolean(true)
    streamsUsage = try Self.includesUsage(members["stream_options"], isStreamed: isStreamed)
  }

  private static func includesUsage(
    _ options: JSONValue?,
    isStreamed: Bool
  ) throws(OpenAIError) -> Bool {
    guard let options else { return false }
    guard isStreamed else {
      throw OpenAIError(
        message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        param: "stream_options"
      )
    }
    guard let members = options.members else {
      throw .type(of: "stream_options", expected: "an object", options)
    }
    if let unknown = members.unknownName(besides: ["include_usage", "include_obfuscation"]) {
      throw .unknown(unknown, in: "stream_options")
    }
    return members["include_usage"] == .boolean(true)
  }
}
