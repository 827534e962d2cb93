import Core

/// A request to Anthropic's Messages API, validated as strictly as the API validates it.
///
/// If a request has a field that the API supports and the fake doesn't, the error names the field.
/// Source of the fields: the parameters of `messages.create` in old and new versions of Anthropic's
/// published Python client.
struct MessagesRequest {
  var prompt: ModelPrompt
  /// The estimated number of tokens in the system text and the messages.
  var inputTokens: Int
  var maximumTokens: Int
  /// The tool that the answer must use, or `nil` if none is required.
  var tool: String?
  var isStreamed: Bool

  private static let contextLength = 200_000

  private static let known: Set<String> = [
    "cache_control", "max_tokens", "messages", "metadata", "model", "service_tier", "speed",
    "stream", "system", "temperature", "tool_choice", "tools", "top_k", "top_p", "user_profile_id",
    "workspace_id",
  ]

  private static let notBuilt: Set<String> = [
    "container", "context_management", "diagnostics", "inference_geo", "mcp_servers",
    "output_config",
    "output_format", "stop_sequences", "thinking",
  ]

  init(_ body: JSONValue) throws(AnthropicError) {
    guard let members = body.members else {
      throw AnthropicError(message: "The request body is not a JSON object")
    }
    if let name = Self.notBuilt.sorted().first(where: { members[$0] != nil }) {
      throw .notBuilt(name)
    }
    try AnthropicError.checkNames(of: members, known: Self.known)
    guard let model = members["model"] else { throw .missing("model") }
    guard let name = model.string else {
      throw .invalid("model", "Input should be a valid string")
    }
    guard !name.isEmpty else {
      throw .invalid("model", "String should have at least 1 character")
    }
    guard let limit = members["max_tokens"] else { throw .missing("max_tokens") }
    guard let limit = limit.wholeNumber else {
      throw .invalid("max_tokens", "Input should be a valid integer")
    }
    guard limit >= 1 else {
      throw .invalid("max_tokens", "Input should be greater than or equal to 1")
    }
    maximumTokens = limit
    try Self.checkSampling(members)
    let messages = try ConversationTurns(members["messages"])
    let system = try ConversationTurns.systemText(members["system"])
    inputTokens = messages.tokens + TokenEstimate.tokens(in: system)
    guard inputTokens <= Self.contextLength else {
      throw AnthropicError(
        message: "prompt is too long: \(inputTokens) tokens > \(Self.contextLength) maximum"
      )
    }
    let tools = try MessagesTools(members)
    tool = tools.forced
    prompt = ModelPrompt(
      text: messages.lastUserText,
      form: tools.forced.map { .object(schema: tools.schemas[$0]) } ?? .text
    )
    isStreamed = members["stream"] == .boolean(true)
  }

  private static func checkSampling(
    _ members: JSONObject
  ) throws(AnthropicError) {
    for name in ["temperature", "top_p"] {
      guard let value = members[name] else { continue }
      guard let number = value.decimal else {
        throw .invalid(name, "Input should be a valid number")
      }
      guard (0...1).contains(number) else {
        throw .invalid(name, "Input should be between 0 and 1")
      }
    }
    if let value = members["top_k"], value.wholeNumber == nil {
      throw .invalid("top_k", "Input should be a valid integer")
    }
    if let value = members["stream"], value != .boolean(true), value != .boolean(false) {
      throw .invalid("stream", "Input should be a valid boolean")
    }
  }
}
