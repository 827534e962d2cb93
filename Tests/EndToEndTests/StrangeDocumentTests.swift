import Core
import TestKit
import Testing

/// Documents with fields of wrong types.
///
/// A function that asks a model must do its work or report the problem, and must not use a field of
/// the wrong type.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct StrangeDocumentTests {
  private static let strange = [
    "7", "true", "null", #""PLANTED""#, "[7, {}]", #"{"PLANTED": ["PLANTED"]}"#,
    #"{"timestampValue": "2999-01-01T00:00:00Z"}"#,
  ]

  private static let documents: [(path: String, fields: [String])] = [
    (
      "users/marco", ["displayName", "primaryLanguage", "language", "aiOptOut", "fcmTokens"]
    ), ("users/sarah", ["displayName", "primaryLanguage", "aiOptOut"]),
    (
      "conversations/c1",
      [
        "participants", "participantLanguages", "languageOverrides", "settings", "name", "type",
        "joinedAt",
      ]
    ),
    (
      "conversations/c1/messages/m1",
      [
        "senderId", "text", "language", "timestamp", "clientTimestamp", "translations",
        "translationMeta", "readBy", "recipientId",
      ]
    ),
  ]

  @Test(arguments: documents.flatMap { document in document.fields.map { (document.path, $0) } })
  func `a field of any type breaks nothing`(path: String, field: String) async throws {
    let scene = try await ModelScene(
      ModelScene.conversation,
      ModelScene.message("m1"),
      ModelScene.message("m2", "Hmm", from: "marco", at: 2)
    )
    let whole = try #require(try await scene.fields(of: path)?.object)
    for value in Self.strange {
      var fields = whole
      fields["timestamp"] = fields["timestamp"].map { .object(["timestampValue": $0]) }
      fields[field] = try json(value)
      let document = JSONValue.object([ByteKey(path): .object(fields)])
      try await sharedEmulator().write(document, project: scene.project)
      for question in ModelFaultTests.questions {
        let outcome = try await scene.ask(question)
        let line = Comment(rawValue: "\(field) \(value) \(outcome.run.line.text)")
        switch outcome.run.exitCode {
        case 0: break
        case 65: #expect(outcome.run.errorCode != "INTERNAL", line)
        case 77: #expect(field == "participants" && outcome.given.isEmpty, line)
        // The field changes the requested language, but the model answers in Italian.
        case 75: #expect(outcome.run.errorCode == "UNAVAILABLE" && !outcome.given.isEmpty, line)
        default: Issue.record(line)
        }
        // The field may be a name, which the function may show.
        #expect(!outcome.run.line.text.contains("PLANTED") || field == "displayName", line)
        #expect(!outcome.run.errorText.contains("PLANTED"), line)
      }
    }
  }

  // MARK: Records of functions

  private static let kept: [(question: ModelFaultTests.Question, fields: [String])] = [
    (
      ModelFaultTests.analysis,
      ["textHash", "expiresAt", "language", "type", "relevance", "explanation"]
    ), (ModelFaultTests.replies, ["promptHash", "expiresAt", "suggestions"]),
    (ModelFaultTests.query, ["status", "aiResponse", "contextIds"]),
  ]

  @Test(arguments: kept.flatMap { kept in kept.fields.map { (kept.question, $0) } })
  func `a stored answer of another shape is made again`(
    question: ModelFaultTests.Question,
    field: String
  ) async throws {
    let scene = try await ModelScene(ModelScene.conversation, ModelScene.message("m1"))
    let isQuery = question.function == "askAI"
    let data =
      isQuery
      ? #"{"conversationId":"c1","query":"Quando è il colloquio?","queryId":"q1"}"# : nil
    let first = try await scene.ask(question, data)
    #expect(first.given.count == 1, Comment(rawValue: first.run.line.text))
    #expect(try await scene.ask(question, data).given.isEmpty, "the stored answer is used")
    let path = isQuery ? "aiChats/marco/queries/q1" : question.writes
    let emulator = try sharedEmulator()
    let target = emulator.documents("/\(path)", project: scene.project)
    for value in Self.strange.filter({ !$0.contains("PLANTED") || $0.first != #"""# }) {
      // A time is a valid value of `expiresAt`.
      guard !(field == "expiresAt" && value.contains("timestampValue")) else { continue }
      let answer = try await emulator.request(
        "PATCH",
        "firestore",
        "\(target)?updateMask.fieldPaths=\(field)",
        json: JSONValue.object([
          "fields": .object([ByteKey(field): try json(value)]).firestoreFields
        ]).text
      )
      #expect(answer.status == 200, Comment(rawValue: answer.text))
      let outcome = try await scene.ask(question, data)
      #expect(outcome.given.count == 1, Comment(rawValue: "\(value) \(outcome.run.line.text)"))
      #expect(outcome.run.result == first.run.result)
    }
  }

  @Test func `cached replies are checked like a model's`()
    async throws
  {
    let scene = try await ModelScene(ModelScene.conversation, ModelScene.message("m1"))
    let replies = ModelFaultTests.replies
    let first = try await scene.ask(replies)
    let emulator = try sharedEmulator()
    let target = emulator.documents("/\(replies.writes)", project: scene.project)
    for text in ["PLANTED: www.planted.example", "I would love to see you there, my dear"] {
      let fields = """
        {"suggestions": [{"text": "\(text)", "translation": "Yes"},
          {"text": "Sì", "translation": "Yes"}, {"text": "No", "translation": "No"}]}
        """
      _ = try await emulator.request(
        "PATCH",
        "firestore",
        "\(target)?updateMask.fieldPaths=suggestions",
        json: JSONValue.object(["fields": try json(fields).firestoreFields]).text
      )
      #expect(try await scene.fields(of: replies.writes)?.text.contains(text) == true)
      let outcome = try await scene.ask(replies)
      #expect(outcome.given.count == 1)
      #expect(outcome.run.result == first.run.result)
    }
  }

  // MARK: People

  @Test(arguments: ModelFaultTests.questions)
  func `a group of a thousand with a duplicate and missing languages and profiles gets an answer`(
    question: ModelFaultTests.Question
  ) async throws {
    let others = (1...997).map { "u\($0)" }
    let ids = (["sarah", "marco"] + others + ["marco"]).map { "\"\($0)\"" }.joined(separator: ",")
    let scene = try await ModelScene(
      #""conversations/c1": {"participants": [\#(ids)]}"#,
      #""users/u1": {"displayName": "PLANTED"}, "users/u2": {"primaryLanguage": "it-CH"}"#,
      #""users/u3": {"primaryLanguage": "en", "aiOptOut": true}"#,
      ModelScene.message("m1"),
      ModelScene.message("m0", "PLANTED", from: "u3", at: 0)
    )
    let outcome = try await scene.ask(question)
    #expect(outcome.run.exitCode == 0, Comment(rawValue: outcome.run.line.text))
    #expect(outcome.given.count == 1)
    #expect(!outcome.given.joined().contains("PLANTED"))
  }

  @Test(arguments: ModelFaultTests.questions)
  func `a caller without a profile is asked for a language`(question: ModelFaultTests.Question)
    async throws
  {
    let scene = try await ModelScene(
      #""conversations/c1": {"participants": ["sarah", "nobody"]}"#,
      ModelScene.message("m1")
    )
    let outcome = try await scene.ask(question, by: "nobody")
    #expect((outcome.run.exitCode, outcome.run.errorCode) == (65, "FAILED_PRECONDITION"))
    #expect(outcome.run.errorMessage?.contains("language") == true)
    #expect(outcome.given.isEmpty && outcome.run.writes.isEmpty)
  }

  // MARK: Clocks

  @Test(arguments: ModelFaultTests.questions)
  func `a message from the future is treated like any other`(question: ModelFaultTests.Question)
    async throws
  {
    let scene = try await ModelScene(ModelScene.conversation)
    try await scene.write(
      """
      "conversations/c1/messages/m1": {"senderId": "sarah", "language": "en",
        "text": "\(ModelScene.text)", "timestamp": {"timestampValue": "2999-01-01T00:00:00Z"}}
      """
    )
    let outcome = try await scene.ask(question)
    #expect(outcome.run.exitCode == 0, Comment(rawValue: outcome.run.line.text))
    #expect(outcome.given.joined().contains("Break a leg"))
    let again = try await scene.ask(question)
    #expect(again.given.count == (question.function == "askAI" ? 1 : 0))
  }
}
