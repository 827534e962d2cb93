import Core
import Dispatch
import TestKit
import Testing

/// Changes of documents while a model is answering, or after it has answered.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct MeanwhileTests {
  private static let query = ModelFaultTests.query
  private static let call =
    #"{"conversationId":"c1","query":"Quando è il colloquio?","queryId":"q1"}"#

  private func scene() async throws -> ModelScene {
    try await ModelScene(
      ModelScene.conversation,
      ModelScene.message("m1"),
      ModelScene.message("m2", "See you there", from: "marco", at: 2)
    )
  }

  // MARK: askAI

  @Test func `an answer based on a message that is deleted meanwhile is not stored`()
    async throws
  {
    let scene = try await scene()
    let isDeleted = DispatchSemaphore(value: 0)
    let server = try LoopbackServer(model: ModelAnswer(content: Self.query.good)) {
      isDeleted.wait()
    }
    defer { server.stop() }
    async let running = scene.run(Self.query, Self.call, server)
    await server.wait(for: .requested)
    try await scene.delete("conversations/c1/messages/m1")
    isDeleted.signal()
    let run = try await running
    #expect((run.exitCode, run.errorCode) == (75, "ABORTED"), Comment(rawValue: run.line.text))
    let question = try #require(try await scene.fields(of: "aiChats/marco/queries/q1"))
    #expect(question["status"] == .string("failed"))
    #expect(question["aiResponse"] == nil)
    #expect(question.at("error.retryable") == .boolean(true))

    let again = try await scene.ask(Self.query, #"{"conversationId":"c1","queryId":"q1"}"#)
    #expect(again.run.exitCode == 0, Comment(rawValue: again.run.line.text))
    #expect(again.given.count == 1)
    #expect(!again.given.joined().contains("Break a leg"))
    #expect(again.run.result?["contextIds"] == .array([.string("m2")]))
  }

  @Test func `an answer is requested again after a message that it is based on was deleted`()
    async throws
  {
    let scene = try await scene()
    let again = #"{"conversationId":"c1","queryId":"q1"}"#
    #expect(try await scene.ask(Self.query, Self.call).given.count == 1)
    #expect(try await scene.ask(Self.query, again).given.isEmpty)
    try await scene.delete("conversations/c1/messages/m1")
    let asked = try await scene.ask(Self.query, again)
    #expect(asked.given.count == 1)
    #expect(!asked.given.joined().contains("Break a leg"))
  }

  @Test func `a question asked several times at once is paid for once`() async throws {
    let scene = try await scene()
    let server = try LoopbackServer(model: [ModelAnswer(content: Self.query.good)])
    defer { server.stop() }
    let runs = try await withThrowingTaskGroup(of: FunctionRun.self) { group in
      for _ in 1...4 { group.addTask { try await scene.run(Self.query, Self.call, server) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.exitCode == 0, Comment(rawValue: run.line.text)) }
    #expect(Set(runs.compactMap { $0.result?.text }).count == 1)
    #expect(server.requests.count == 1)
  }

  @Test func `a user who changes their language is answered in the new one`() async throws {
    let scene = try await scene()
    #expect(try await scene.ask(Self.query).given.joined().contains(#""answerLanguage":"it""#))
    try await scene.write(#""users/marco": {"primaryLanguage": "fr"}"#)
    let french = try await scene.ask(
      Self.query,
      answer: #"{"answer":"[P1] dit que c'est demain.","found":true,"sources":["m1"]}"#
    )
    #expect(french.run.exitCode == 0, Comment(rawValue: french.run.line.text))
    #expect(french.given.joined().contains(#""answerLanguage":"fr""#))
    let italian = try await scene.ask(Self.query)
    #expect(italian.run.errorCode == "UNAVAILABLE", "an Italian answer is refused after the change")
  }

  @Test func `a question over the limit is refused before anything is paid or stored`()
    async throws
  {
    let scene = try await scene()
    let query = String(repeating: "é", count: 1_001)
    let outcome = try await scene.ask(Self.query, #"{"conversationId":"c1","query":"\#(query)"}"#)
    #expect((outcome.run.exitCode, outcome.run.errorCode) == (65, "INVALID_ARGUMENT"))
    #expect(outcome.given.isEmpty && outcome.run.writes.isEmpty)
  }

  @Test func `giant messages leave a question within its budget`() async throws {
    let scene = try await scene()
    let giant = String(repeating: "colloquio ", count: 5_000)
    for id in 3...42 { try await scene.write(ModelScene.message("m\(id)", giant, at: id)) }
    for question in [Self.query, ModelFaultTests.replies] {
      let outcome = try await scene.ask(question)
      #expect(outcome.run.exitCode == 0, Comment(rawValue: outcome.run.line.text))
      let size = outcome.given.first?.utf8.count ?? 0
      #expect((2_000..<20_000).contains(size), "\(size)")
    }
  }

  // MARK: smartReplies

  @Test func `replies to a message that was deleted are not reused`() async throws {
    let scene = try await scene()
    let replies = ModelFaultTests.replies
    #expect(try await scene.ask(replies).given.count == 1)
    #expect(try await scene.ask(replies).given.isEmpty)
    try await scene.delete("conversations/c1/messages/m2")
    let asked = try await scene.ask(replies)
    #expect(asked.given.count == 1)
    #expect(!asked.given.joined().contains("See you there"))
  }

  @Test(arguments: ["users/marco", "conversations/c1/messages/m2"])
  func `replies aren't stored for a deleted user, or for a deleted message`(path: String)
    async throws
  {
    let scene = try await scene()
    let isDeleted = DispatchSemaphore(value: 0)
    let replies = ModelFaultTests.replies
    let server = try LoopbackServer(model: ModelAnswer(content: replies.good)) {
      isDeleted.wait()
    }
    defer { server.stop() }
    async let running = scene.run(replies, by: "marco", nil, server)
    await server.wait(for: .requested)
    try await scene.delete(path)
    isDeleted.signal()
    #expect(try await running.exitCode == 0)
    #expect(try await scene.fields(of: "smartReplies/c1_marco") == nil)
    let leases = try await sharedEmulator().collection("leases", project: scene.project)
    #expect(leases == [])
  }

  @Test func `replies that no model wrote are not stored, and are labeled as such`() async throws {
    let scene = try await ModelScene(
      ModelScene.conversation,
      ModelScene.message("m1", "Thank you so much!")
    )
    let replies = ModelFaultTests.replies
    for _ in 1...2 {
      let outage = try await scene.ask(replies, answer: "{}")
      #expect(outage.given.count == 2, "each call asks the model twice")
      #expect(outage.run.result?["engine"] == .string("fallback"))
      let first = outage.run.result?.at("suggestions.0")
      #expect(first?["text"] == .string("Prego!"))
      #expect(first?["translation"] == .string("You're welcome!"))
      #expect(outage.run.writes.isEmpty)
    }
    #expect(try await scene.ask(replies).run.result?["engine"] == .string("scripted"))
    // There are no fallback replies in Swahili.
    try await scene.write(#""users/marco": {"primaryLanguage": "sw"}"#)
    let swahili = try await scene.ask(replies, answer: "{}")
    #expect((swahili.run.exitCode, swahili.run.errorCode) == (75, "UNAVAILABLE"))
  }

  @Test func `a reached limit is reported, even if replies could be suggested`() async throws {
    let scene = try await scene()
    try await scene.write(#""config/functions": {"smartReplies": {"perUserPerDay": 0}}"#)
    let outcome = try await scene.ask(ModelFaultTests.replies)
    #expect(outcome.run.errorCode == "RESOURCE_EXHAUSTED", Comment(rawValue: outcome.run.line.text))
    #expect(outcome.given.isEmpty)
  }

  // MARK: analyzeMessage

  /// Delivers an event of the message `m1` a day after it happened.
  private func deliver(_ change: String, to scene: ModelScene) async throws -> FunctionRun {
    let server = try LoopbackServer(model: [ModelAnswer(content: ModelFaultTests.analysis.good)])
    defer { server.stop() }
    let emulator = try sharedEmulator()
    let document = """
      {"name":"\(emulator.name("conversations/c1/messages/m1", project: scene.project))",
      "fields":{},"createTime":"2025-10-20T10:00:00Z","updateTime":"2025-10-20T10:00:00Z"}
      """
    return try await runFunction(
      "analyzeMessage",
      input: """
        {"specversion":"1.0","id":"\(change)","type":"google.cloud.firestore.document.v1.\(change)",
        "source":"//firestore.googleapis.com/projects/\(scene.project)/databases/(default)",
        "subject":"documents/conversations/c1/messages/m1","time":"2025-10-20T10:00:00Z",
        "document":"conversations/c1/messages/m1",
        "data":{"\(change == "deleted" ? "oldValue" : "value")":\(document)}}
        """,
      environment: emulator.environment(project: scene.project)
        .merging(["OPENAI_BASE_URL": server.url("/v1")]) { $1 }
    )
  }

  @Test func `an event a day late is handled with the message as it is now`() async throws {
    let scene = try await scene()
    let created = try await deliver("created", to: scene)
    #expect(created.writes == ["aiAnalysis/m1"], Comment(rawValue: created.line.text))
    #expect(try await deliver("created", to: scene).status == "skipped")
    try await scene.delete("conversations/c1/messages/m1")
    let late = try await deliver("created", to: scene)
    #expect(late.reason == "the message no longer exists")
    let deleted = try await deliver("deleted", to: scene)
    #expect(deleted.result?["removed"] == .integer(1), Comment(rawValue: deleted.line.text))
    #expect(try await scene.fields(of: "aiAnalysis/m1") == nil)
  }

  @Test func `a failure in one reader's language leaves the others their analysis`() async throws {
    let scene = try await ModelScene(
      #""users/lea": {"primaryLanguage": "fr"}"#,
      #""conversations/c1": {"participants": ["sarah", "marco", "lea"]}"#,
      ModelScene.message("m1")
    )
    // The model explains in Italian, whatever language the reader has, so the French analysis
    // fails.
    let failed = try await deliver("created", to: scene)
    #expect((failed.exitCode, failed.errorCode) == (75, "UNAVAILABLE"))
    #expect(try await scene.fields(of: "aiAnalysis/m1")?["language"] == .string("it"))
    #expect(try await scene.fields(of: "aiAnalysis/m1_fr") == nil)
    let marcos = try await scene.ask(ModelFaultTests.analysis)
    #expect(marcos.run.result?["language"] == .string("it"))
    #expect(marcos.given.isEmpty, "a stored analysis is returned without a request")
    let leas = try await scene.ask(
      ModelFaultTests.analysis,
      by: "lea",
      answer: ModelFaultTests.analysis.good
        .replacing("È un augurio di buona fortuna.", with: "C'est pour souhaiter bonne chance.")
        .replacing("In bocca al lupo", with: "Merde !")
    )
    #expect(leas.run.exitCode == 0, Comment(rawValue: leas.run.line.text))
    #expect(leas.given.count == 1)
    #expect(try await scene.fields(of: "aiAnalysis/m1_fr")?["language"] == .string("fr"))
  }

  @Test func `variants of a language are analyzed once`() async throws {
    let scene = try await ModelScene(
      #""users/ana": {"primaryLanguage": "pt-BR"}, "users/rui": {"primaryLanguage": "pt-PT"}"#,
      #""conversations/c1": {"participants": ["sarah", "ana", "rui"]}"#,
      ModelScene.message("m1")
    )
    let good = ModelFaultTests.analysis.good
      .replacing("È un augurio di buona fortuna.", with: "É uma forma de desejar boa sorte.")
      .replacing("In bocca al lupo", with: "Boa sorte")
    let anas = try await scene.ask(ModelFaultTests.analysis, by: "ana", answer: good)
    #expect(anas.given.count == 1 && anas.run.exitCode == 0, Comment(rawValue: anas.run.line.text))
    let ruis = try await scene.ask(ModelFaultTests.analysis, by: "rui")
    #expect(ruis.given.isEmpty)
    #expect(ruis.run.result == anas.run.result)
    // With Rui listed first, his variant of the language comes first.
    try await scene.write(
      #""conversations/c1": {"participants": ["sarah", "rui", "ana"]}"#
    )
    #expect(try await scene.ask(ModelFaultTests.analysis, by: "rui").given.isEmpty)
  }
}
