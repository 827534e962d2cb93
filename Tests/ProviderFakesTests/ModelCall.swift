import Core
import HTTPService
import ProviderFakes
import TestKit

/// Requests to the fakes of the model APIs.
enum ModelCall {
  static let key = "a-key"

  static let chat = ["v1", "chat", "completions"]
  static let messages = ["v1", "messages"]

  /// The functions' prompts by the name of their schema.
  static let prompts = [
    "message_analysis": """
    {"message":{"from":"P1","language":"en","text":"Break a leg at your interview tomorrow!"},
    "messages":[],"readerLanguage":"it"}
    """,
    "reply_suggestions": """
    {"messages":[{"from":"P2","id":"m1","language":"en","text":"Dinner at eight?"}],
    "replier":"P1","replyLanguage":"it","style":{"averageCharacters":24,"usesEmoji":true},
    "translationLanguage":"en"}
    """,
    "conversation_answer": """
    {"answerLanguage":"it","asker":"P1","messages":[{"from":"P2","id":"m1","language":"en",
    "text":"Dinner at eight?"}],"question":"What did [P2] say about dinner?"}
    """,
  ]

  /// A prompt for an answer in Japanese, for which the fake has no rules.
  static let inJapanese = #"{"messages":[],"replier":"P1","replyLanguage":"ja"}"#

  /// A schema in the form in which functions send it.
  static let suggestions = """
    {"type":"object","additionalProperties":false,"required":["suggestions"],"properties":{
    "suggestions":{"type":"array","minItems":3,"maxItems":3,"items":{"type":"object",
    "additionalProperties":false,"required":["text","translation"],"properties":{
    "text":{"type":"string"},"translation":{"type":"string"}}}}}}
    """

  static func send(
    _ body: String,
    to path: [String],
    method: String = "POST",
    headers: [String: String] = [:]
  ) async throws -> ServiceResponse {
    try await send(Data(body.utf8), to: path, method: method, headers: headers)
  }

  static func send(
    _ body: Data,
    to path: [String],
    method: String = "POST",
    headers: [String: String] = [:]
  ) async throws -> ServiceResponse {
    let fakes = ProviderFakes(
      translationKey: "t",
      openAIKey: key,
      anthropicKey: key,
      now: { 7 },
      newID: { "id" }
    )
    let standard = ["authorization": "Bearer \(key)", "anthropic-version": "2023-06-01"]
    return try await fakes.respond(
      to: ServiceRequest(
        method: method,
        path: path,
        headers: standard.merging(headers) { _, new in new },
        body: body
      )
    )
  }
}

extension ServiceResponse {
  var json: JSONValue? { try? JSONValue(parsing: body) }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The data of the stream's events.
  var events: [String] {
    String(decoding: body, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
  }
}
