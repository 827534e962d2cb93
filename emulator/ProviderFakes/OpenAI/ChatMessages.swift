import Core

/// The messages of a request to chat completions.
struct ChatMessages {
  /// The text of the last user message, its parts joined; empty if there is none.
  private(set) var lastUserText = ""
  /// The estimated number of tokens in all messages.
  private(set) var tokens = 0
  /// A Boolean value that indicates whether any text contains "json", in any letter case.
  private(set) var mentionsJSON = false

  private static let roles = ["developer", "system", "user", "assistant", "tool"]
  private static let members: Set<String> = [
    "content", "name", "refusal", "role", "tool_call_id", "tool_calls",
  ]

  init(_ value: JSONValue?) throws(OpenAIError) {
    guard let value else { throw .missing("messages") }
    guard let messages = value.array else {
      throw .type(of: "messages", expected: "an array of objects", value)
    }
    guard !messages.isEmpty else {
      throw OpenAIError(
        message: "Invalid 'messages': empty array. Expected an array with minimum length 1, but "
          + "got an empty array instead.",
        param: "messages",
        code: "empty_array"
      )
    }
    var calls = Set<JSONValue>()
    for (index, message) in messages.enumerated() {
      let place = "messages[\(index)]"
      let text = try Self.text(of: message, at: place, calls: &calls)
      if message["role"] == "user" { lastUserText = text }
      tokens += TokenEstimate.tokens(in: text)
      mentionsJSON = mentionsJSON || text.lowercased().contains("json")
    }
  }

  /// Validates a message and returns its text.
  ///
  /// - Parameter calls: the IDs of the tool calls so far. A `tool` message must answer one of them.
  private static func text(
    of message: JSONValue,
    at place: String,
    calls: inout Set<JSONValue>
  ) throws(OpenAIError) -> String {
    guard let members = message.members else {
      throw .type(of: place, expected: "an object", message)
    }
    if let name = members.unknownName(besides: Self.members) {
      throw .unknown(name, in: place)
    }
    guard let role = members["role"] else { throw .missing("\(place).role") }
    guard let role = role.string else {
      throw .type(of: "\(place).role", expected: "a string", role)
    }
    guard roles.contains(role) else {
      throw .value(of: "\(place).role", role, supported: roles)
    }
    if role == "tool" {
      guard let id = members["tool_call_id"] else { throw .missing("\(place).tool_call_id") }
      guard calls.contains(id) else {
        throw OpenAIError(
          message: "Invalid parameter: messages with role 'tool' must be a response to a "
            + "preceding message with 'tool_calls'.",
          param: "\(place).role"
        )
      }
    }
    if role == "assistant" {
      for call in members["tool_calls"]?.array ?? [] {
        if let id = call["id"] { calls.insert(id) }
      }
    }
    guard let content = members["content"] else {
      let isCall = role == "assistant" && (members["tool_calls"] ?? members["refusal"]) != nil
      if isCall { return "" }
      throw .missing("\(place).content")
    }
    return try text(ofContent: content, at: "\(place).content")
  }

  private static func text(
    ofContent content: JSONValue,
    at place: String
  ) throws(OpenAIError) -> String {
    if let text = content.string { return text }
    guard let parts = content.array else {
      throw .type(of: place, expected: "one of a string or array of objects", content)
    }
    var text = ""
    for (index, part) in parts.enumerated() {
      let place = "\(place)[\(index)]"
      guard let members = part.members else {
        throw .type(of: place, expected: "an object", part)
      }
      guard let type = members["type"]?.string else { throw .missing("\(place).type") }
      guard type == "text" else { throw .value(of: "\(place).type", type, supported: ["text"]) }
      guard let words = members["text"]?.string else { throw .missing("\(place).text") }
      if let name = members.unknownName(besides: ["type", "text"]) {
        throw .unknown(name, in: place)
      }
      text += words
    }
    return text
  }
}
