import Core
import TestKit
import Testing

/// The messages that functions use for a member who joined later.
///
/// Functions use only messages since the member joined. If the conversation's settings open its
/// history, they use all messages.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct MembershipTests {
  private static let lena = #""users/lena": {"displayName": "Lena", "primaryLanguage": "it"}"#
  private static let joined = #"{"timestampValue": "\#(ModelScene.time(5))"}"#

  /// Creates a conversation with two messages of Sarah's. Lena joins between them.
  private func scene(joined: String = joined, settings: String = "{}") async throws -> ModelScene {
    try await ModelScene(
      Self.lena,
      """
      "conversations/c1": {"participants": ["sarah", "marco", "lena"],
        "joinedAt": {"lena": \(joined)}, "settings": \(settings)}
      """,
      ModelScene.message("m0", "The PLANTED interview is in Oslo.", at: 4),
      ModelScene.message("m1", at: 6)
    )
  }

  @Test(arguments: [ModelFaultTests.replies, ModelFaultTests.query])
  func `a new member's questions see only later messages`(question: ModelFaultTests.Question)
    async throws
  {
    let scene = try await scene()
    let lenas = try await scene.ask(question, by: "lena")
    #expect(lenas.run.exitCode == 0, Comment(rawValue: lenas.run.line.text))
    #expect(lenas.given.count == 1)
    #expect(lenas.given.allSatisfy { $0.contains("Break a leg") && !$0.contains("PLANTED") })
    // A message without a time is hidden from a member who has a time of joining.
    try await scene.write(
      #""conversations/c1/messages/m2": {"senderId": "sarah", "text": "PLANTED, timeless"}"#
    )
    #expect(try await !scene.ask(question, by: "lena").given.joined().contains("PLANTED"))
    let marcos = try await scene.ask(question, by: "marco")
    #expect(marcos.given.joined().contains("PLANTED"))
  }

  @Test(arguments: [ModelFaultTests.replies, ModelFaultTests.query])
  func `a conversation may open its history`(question: ModelFaultTests.Question) async throws {
    let open = try await scene(settings: #"{"history": true}"#)
    #expect(try await open.ask(question, by: "lena").given.joined().contains("PLANTED"))
    let mistyped = try await scene(settings: #"{"history": "yes"}"#)
    #expect(try await !mistyped.ask(question, by: "lena").given.joined().contains("PLANTED"))
  }

  @Test(arguments: [ModelFaultTests.replies, ModelFaultTests.query], ["7", #""before""#, "[]"])
  func `an invalid time of joining hides everything`(
    question: ModelFaultTests.Question,
    joined: String
  ) async throws {
    let outcome = try await scene(joined: joined).ask(question, by: "lena")
    #expect(outcome.run.errorCode == "FAILED_PRECONDITION", "\(outcome.run.line.text)")
    #expect(outcome.given.isEmpty)
  }

  @Test func `an analysis is based on what all its readers may see`() async throws {
    let scene = try await scene()
    let marcos = try await scene.ask(ModelFaultTests.analysis)
    #expect(marcos.run.exitCode == 0, Comment(rawValue: marcos.run.line.text))
    #expect(marcos.given.count == 1)
    #expect(!marcos.given.joined().contains("PLANTED"))
    let lenas = try await scene.ask(ModelFaultTests.analysis, by: "lena")
    #expect(lenas.run.result == marcos.run.result)
    #expect(lenas.given.isEmpty)
  }

  @Test func `an earlier message doesn't exist for a member who joined later`() async throws {
    let scene = try await scene()
    let call = #"{"conversationId":"c1","messageId":"m0"}"#
    let lenas = try await scene.ask(ModelFaultTests.analysis, by: "lena", call)
    let missing = try await scene.ask(
      ModelFaultTests.analysis,
      by: "lena",
      call.replacing("m0", with: "m9")
    )
    #expect(lenas.run.errorCode == "NOT_FOUND")
    #expect(lenas.run.errorMessage?.replacing("m0", with: "m9") == missing.run.errorMessage)
    #expect(lenas.given.isEmpty)
    let nothing =
      #"{"hasCulturalContext":false,"type":"none","idiomDetected":null,"#
      + #""explanation":"","relevance":"low","suggestedEquivalent":null}"#
    let marcos = try await scene.ask(ModelFaultTests.analysis, by: "marco", call, answer: nothing)
    #expect(marcos.run.exitCode == 0, Comment(rawValue: marcos.run.line.text))
  }

  private func translate(
    _ member: String,
    by uid: String,
    in scene: ModelScene
  ) async throws -> FunctionRun {
    try await runFunction(
      "translateMessage",
      input:
        #"{"data":{"conversationId":"c1","targetLang":"it",\#(member)},"auth":{"uid":"\#(uid)"}}"#,
      environment: sharedEmulator().environment(project: scene.project)
    )
  }

  @Test func `a new member gets no translation of earlier messages`() async throws {
    let scene = try await scene()
    // A caller can't guess the text of a hidden message: the error is the same as for a missing
    // one.
    for text in ["", #","text":"x""#, #","text":"The PLANTED interview is in Oslo.""#] {
      let hidden = try await translate(#""messageId":"m0"\#(text)"#, by: "lena", in: scene)
      let missing = try await translate(#""messageId":"m9"\#(text)"#, by: "lena", in: scene)
      #expect(hidden.errorCode == "NOT_FOUND")
      #expect(hidden.errorMessage?.replacing("m0", with: "m9") == missing.errorMessage)
      #expect(hidden.writes == [])
    }
    let both = #""messageIds":["m0","m1"]"#
    let lenas = try await translate(both, by: "lena", in: scene)
    #expect(lenas.result?["messages"]?.object?.keys.sorted() == ["m1"], "\(lenas.line.text)")
    let marcos = try await translate(both, by: "marco", in: scene)
    #expect(marcos.result?["messages"]?.object?.keys.sorted() == ["m0", "m1"])
    try await scene.write(
      """
      "conversations/c1": {"participants": ["sarah", "marco", "lena"],
        "joinedAt": {"lena": \(Self.joined)}, "settings": {"history": true}}
      """
    )
    let opened = try await translate(#""messageId":"m0""#, by: "lena", in: scene)
    #expect(opened.exitCode == 0, "\(opened.line.text)")
  }

  /// Returns a stored answer that Lena got during an earlier membership.
  private func told(at second: Int, citing id: String) -> String {
    """
    "aiChats/lena/queries/q1": {"conversationId": "c1", "userQuery": "Quando è il colloquio?",
      "status": "answered", "aiResponse": "PLANTED, in Oslo", "modelAnswer": "PLANTED, in Oslo",
      "contextIds": ["\(id)"], "people": {}, "engine": "e",
      "timestamp": {"timestampValue": "\(ModelScene.time(second))"}}
    """
  }

  @Test(arguments: [(4, "m1", false), (6, "m0", false), (6, "m1", true)])
  func `an answer from an earlier membership is no context of a later question`(
    second: Int,
    id: String,
    isContext: Bool
  ) async throws {
    let scene = try await scene()
    try await scene.write(told(at: second, citing: id))
    let outcome = try await scene.ask(
      ModelFaultTests.query,
      by: "lena",
      at: ModelScene.time(30)
    )
    #expect(outcome.run.exitCode == 0, Comment(rawValue: outcome.run.line.text))
    #expect(outcome.given.joined().contains("PLANTED") == isContext)
  }

  @Test func `a forgotten user's time of joining is removed`() async throws {
    let scene = try await scene()
    let run = try await runFunction(
      "forgetUser",
      input: #"{"data":{"uid":"lena"},"auth":{"uid":"lena"}}"#,
      environment: sharedEmulator().environment(project: scene.project)
    )
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    let conversation = try #require(try await scene.fields(of: "conversations/c1"))
    #expect(!conversation.text.contains("lena"))
  }

  @Test func `an answer based on a message that is hidden now is requested again`() async throws {
    let scene = try await scene()
    let call = #"{"conversationId":"c1","queryId":"q1"}"#
    try await scene.write(told(at: 6, citing: "m1"))
    let kept = try await scene.ask(ModelFaultTests.query, by: "lena", call)
    #expect(kept.run.result?["aiResponse"] == .string("PLANTED, in Oslo"))
    try await scene.write(told(at: 6, citing: "m0"))
    let asked = try await scene.ask(ModelFaultTests.query, by: "lena", call)
    #expect(asked.given.count == 1)
    #expect(asked.run.result?["aiResponse"]?.string?.hasPrefix("Il colloquio è domani") == true)
    #expect(!asked.given.joined().contains("PLANTED"))
  }
}
