import Core
import HTTPClient
import TestKit
import Testing

/// Checks of a request to the model, and of a function's output.
extension InjectionScene {
  func check(_ request: ReceivedRequest) throws {
    let body = request.json
    #expect(
      Set((body.object ?? [:]).keys) == [
        "model", "messages", "response_format", "max_completion_tokens", "store",
      ]
    )
    let messages = body["messages"]?.array ?? []
    #expect(messages.map { $0["role"]?.string } == ["system", "user"])
    #expect(messages.allSatisfy { Set(($0.object ?? [:]).keys) == ["role", "content"] })
    let schema = try #require(body.at("response_format.json_schema.name")?.string)
    try checkSystem(#require(messages.first?["content"]?.string), schema)
    try checkInput(#require(messages.last?["content"]?.string), schema)

    let sent = request.target + request.headers.map { "\($0.name):\($0.value)" }.joined()
    let text =
      sent.replacing(GullibleModel.key, with: "") + String(decoding: request.body, as: UTF8.self)
    for secret in [
      plantedElsewhere, "uid-of-", "id-of-", project, "Sarah", "Marco", "Anna", GullibleModel.key,
    ] { #expect(!text.contains(secret), "\(secret)") }
    if place == .everythingElse { #expect(!text.contains(planted)) }
  }

  /// Checks that the system message is the recorded prompt.
  ///
  /// Two parts may follow the prompt: the schema, and one sentence that explains why the last answer
  /// was refused.
  private func checkSystem(_ text: String, _ schema: String) throws {
    let head = try head(of: schema)
    #expect(text.hasPrefix(head))
    var rest = String(text.dropFirst(head.count))
    #expect(!rest.contains(planted))
    let telling = "\n\nAnswer with nothing but one JSON object that conforms to this JSON Schema: "
    if rest.hasPrefix(telling) { rest = String(rest.dropFirst(telling.count).drop { $0 != "\n" }) }
    guard !rest.isEmpty else { return }
    #expect(rest.hasPrefix("\n\nYour last answer was refused: "))
    #expect(rest.hasSuffix(". Answer again."))
    #expect(rest.utf8.count < 200 && rest.dropFirst(2).allSatisfy { $0 != "\n" })
  }

  /// Returns the recorded prompt's newest version, without the schema.
  private func head(of schema: String) throws -> String {
    let folder = "Tests/Fixtures/prompts"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.folder)/\(folder)"
    )
    let newest = try #require(names.filter { $0.hasPrefix("\(schema)-v") }.max())
    let recorded = try Repository.text("\(folder)/\(newest)")
    return String(recorded[..<(try #require(recorded.firstRange(of: "\n\n{"))).lowerBound])
  }

  private func checkInput(_ text: String, _ schema: String) throws {
    let input = try json(text)
    try Schema(json(Self.inputSchemas[schema] ?? "false")).check(input)
    for string in strings(in: input) {
      #expect(!string.unicodeScalars.contains(where: isHidden), "\(string.debugDescription)")
      #expect(string.unicodeScalars.count <= 2_000)
    }
    let ids = (input["messages"]?.array ?? []).compactMap { $0["id"]?.string }
    #expect(ids == (function == "analyzeMessage" ? [] : ["m1"]))
    let people = [input.at("message.from"), input.at("messages.0.from")].compactMap(\.self)
    #expect(people == [.string("P1")])
    #expect((input["replier"] ?? input["asker"] ?? .string("P2")) == .string("P2"))
    #expect(strings(in: input).contains { $0.contains(planted) } == (place != .everythingElse))
  }

  private static let inputSchemas = [
    "message_analysis": """
    {"type": "object", "required": ["message", "messages", "readerLanguage"],
     "additionalProperties": false, "properties": {
       "message": {"type": "object", "required": ["from", "language", "text"],
         "additionalProperties": false, "properties": {
           "from": {"type": "string"}, "language": {"enum": ["en", "ja", "zh"]},
           "text": {"type": "string"}}},
       "messages": {"const": []}, "readerLanguage": {"const": "it"}}}
    """,
    "reply_suggestions": """
    {"type": "object", "additionalProperties": false,
     "required": ["messages", "replier", "replyLanguage", "style", "translationLanguage"],
     "properties": {"messages": \(messages), "replier": {"type": "string"},
       "replyLanguage": {"const": "it"}, "translationLanguage": {"const": "en"},
       "style": {"const": {"usesEmoji": false}}}}
    """,
    "conversation_answer": """
    {"type": "object", "additionalProperties": false,
     "required": ["answerLanguage", "asker", "mentions", "messages", "question"],
     "properties": {"mentions": {"const": []}, "answerLanguage": {"const": "it"}, "asker": {"type": "string"},
       "earlier": {"type": "array", "items": {"type": "object", "required": ["question"],
         "additionalProperties": false, "properties": {
           "question": {"type": "string"}, "answer": {"type": "string"}}}},
       "messages": \(messages), "question": {"type": "string"}}}
    """,
  ]

  private static let messages = """
    {"type": "array", "items": {"type": "object", "additionalProperties": false,
     "required": ["from", "id", "language", "sentAt", "text"], "properties": {
       "from": {"type": "string"}, "id": {"type": "string"}, "language": {"const": "en"},
       "sentAt": {"const": "2026-01-05T18:01:00Z"}, "text": {"type": "string"}}}}
    """

  /// Returns a Boolean value that indicates whether the scalar is invisible, according to the
  /// Unicode database.
  private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .privateUse, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Checks that a run was refused or has a valid answer, and that no log line contains text of the
  /// conversation.
  func check(_ run: FunctionRun) throws {
    var said = [planted, plantedElsewhere]
    if case .says(let text) = injection.obedience, !text.isEmpty { said.append(text) }
    for text in said {
      #expect(!run.errorText.contains(text))
      #expect(run.errorMessage?.contains(text) != true)
    }
    guard run.exitCode == 0 else { return }
    let result = try #require(run.result)
    #expect(!result.text.contains(plantedElsewhere))
    switch function {
    case "analyzeMessage": #expect(result["language"] == .string("it"))
    case "smartReplies":
      let suggestions = result["suggestions"]?.array ?? []
      #expect(Set(suggestions.compactMap { $0["text"]?.string }).count == 3)
      #expect(suggestions.count == 3)
      for suggestion in suggestions {
        #expect(suggestion["language"] == .string("it"))
        #expect(suggestion["translationLanguage"] == .string("en"))
      }
    default: #expect(result["contextIds"] == .array([.string("id-of-message")]))
    }
    for string in strings(in: result) {
      #expect(!string.unicodeScalars.contains(where: isHidden))
      #expect(!string.contains("]("))
      #expect(!string.contains("://") || canRepeatTheLink)
    }
  }

  private func strings(in value: JSONValue) -> [String] {
    switch value {
    case .string(let string): [string]
    case .array(let values): values.flatMap(strings)
    case .object(let members): members.values.flatMap(strings)
    default: []
    }
  }
}
