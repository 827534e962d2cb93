import Core

/// A request to OpenAI's chat completions, in a server's dialect.
struct ChatCompletionsRequest: Encodable {
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
    var type: String
    var schema: Schema?

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
  var format: Format?
  /// The maximum number of tokens, sent in one of two fields.
  var maximumTokens: Int
  private var hasOldLimit: Bool
  var stream: Bool?
  var streamOptions: StreamOptions?
  /// The field `store`. The value `false` asks the provider to store only what it must.
  var store: Bool?

  init(
    _ prompt: Prompt,
    model: String,
    dialect: Dialect,
    isStreamed: Bool
  ) throws(StatusError) {
    self.model = model
    if isStreamed {
      stream = true
      streamOptions = dialect.asksForUsage ? StreamOptions() : nil
    }
    store = dialect.forbidsStorage ? false : nil
    // Compatible servers know only the role `system`, not OpenAI's newer `developer`.
    messages = [
      Message(
        role: "system",
        content: try prompt.instructions(tellingSchema: dialect.tellsSchema)
      ),
      Message(role: "user", content: prompt.inputText),
    ]
    let template = prompt.template
    switch dialect.format {
    case .schema:
      format = Format(
        type: dialect.format.rawValue,
        schema: .init(name: template.name, schema: template.output)
      )
    case .object: format = Format(type: dialect.format.rawValue)
    case .text: format = nil
    }
    maximumTokens = template.maximumOutputTokens + dialect.thoughtTokens
    hasOldLimit = dialect.limit == .tokens
  }

  private enum CodingKeys: String, CodingKey {
    case model, messages, stream, store
    case format = "response_format"
    case maximumTokens = "max_completion_tokens"
    case oldMaximumTokens = "max_tokens"
    case streamOptions = "stream_options"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(model, forKey: .model)
    try container.encode(messages, forKey: .messages)
    try container.encodeIfPresent(format, forKey: .format)
    try container.encode(
      maximumTokens,
      forKey: hasOldLimit ? .oldMaximumTokens : .maximumTokens
    )
    try container.encodeIfPresent(stream, forKey: .stream)
    try container.encodeIfPresent(streamOptions, forKey: .streamOptions)
    try container.encodeIfPresent(store, forKey: .store)
  }
}
