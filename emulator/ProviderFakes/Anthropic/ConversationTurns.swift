import Core

/// The messages of a request to Anthropic's Messages API.
struct ConversationTurns {
  /// The text of the last user message, its blocks joined; empty if there is none.
  private(set) var lastUserText = ""
  /// The estimated number of tokens in all messages.
  private(set) var tokens = 0

  init(_ value: JSONValue?) throws(AnthropicError) {
    guard let value else { throw .missing("messages") }
    guard let messages = value.array else {
      throw .invalid("messages", "Input should be a valid list")
    }
    guard !messages.isEmpty else {
      throw .invalid("messages", "at least one message is required")
    }
    for (index, message) in messages.enumerated() {
      let place = "messages.\(index)"
      guard let members = message.members else {
        throw .invalid(place, "Input should be an object")
      }
      try AnthropicError.checkNames(of: members, known: ["role", "content"], at: place)
      guard let role = members["role"] else { throw .missing("\(place).role") }
      guard role == "user" || role == "assistant" else {
        throw .invalid("\(place).role", "Input should be 'user' or 'assistant'")
      }
      guard index > 0 || role == "user" else {
        throw .invalid("messages", "first message must use the \"user\" role")
      }
      guard let content = members["content"] else { throw .missing("\(place).content") }
      let text = try Self.text(of: content, at: "\(place).content", isUser: role == "user")
      if role == "user" { lastUserText = text }
      tokens += TokenEstimate.tokens(in: text)
    }
  }

  /// Returns the text of `system`, which is a string or a list of text blocks.
  static func systemText(_ value: JSONValue?) throws(AnthropicError) -> String {
    guard let value else { return "" }
    if let text = value.string { return text }
    guard let blocks = value.array else {
      throw .invalid("system", "Input should be a valid string or a list of blocks")
    }
    var text = ""
    for (index, block) in blocks.enumerated() {
      text += try Self.text(ofBlock: block, at: "system.\(index)", types: ["text"])
    }
    return text
  }

  private static func text(
    of content: JSONValue,
    at place: String,
    isUser: Bool
  ) throws(AnthropicError) -> String {
    if let text = content.string {
      guard !text.isEmpty else { throw .invalid(place, "content must be non-empty") }
      return text
    }
    guard let blocks = content.array else {
      throw .invalid(place, "Input should be a valid string or a list of blocks")
    }
    guard !blocks.isEmpty else { throw .invalid(place, "content must be non-empty") }
    var text = ""
    for (index, block) in blocks.enumerated() {
      text += try Self.text(
        ofBlock: block,
        at: "\(place).\(index)",
        types: ["text", isUser ? "tool_result" : "tool_use"]
      )
    }
    return text
  }

  /// Validates a block and returns its text. The text of a tool's block is empty.
  private static func text(
    ofBlock block: JSONValue,
    at place: String,
    types: [String]
  ) throws(AnthropicError) -> String {
    guard let members = block.members else { throw .invalid(place, "Input should be an object") }
    guard let type = members["type"] else { throw .missing("\(place).type") }
    guard let type = type.string, types.contains(type) else {
      let names = types.map { "'\($0)'" }.joined(separator: " or ")
      throw .invalid("\(place).type", "Input should be \(names) in the emulator")
    }
    let (required, optional): ([String], [String]) =
      switch type {
      case "tool_use": (["id", "name", "input"], [])
      case "tool_result": (["tool_use_id"], ["content", "is_error"])
      default: (["text"], ["citations"])
      }
    try AnthropicError.checkNames(
      of: members,
      known: Set(required + optional + ["type", "cache_control"]),
      at: place
    )
    for name in required where members[name] == nil { throw .missing("\(place).\(name)") }
    guard type == "text" else { return "" }
    guard let text = members["text"]?.string else {
      throw .invalid("\(place).text", "Input should be a valid string")
    }
    guard !text.isEmpty else { throw .invalid(place, "text content blocks must be non-empty") }
    return text
  }
}
