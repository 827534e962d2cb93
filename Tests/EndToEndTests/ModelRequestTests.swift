import Core
import Dispatch
import HTTPClient
import TestKit
import Testing

/// The messages that a function sends to the model as context, and those that it leaves out.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ModelRequestTests {
  private static let people = """
    "users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
    "users/marco": {"displayName": "Marco", "primaryLanguage": "it"}
    """
  private static let conversation = """
    "conversations/c1": {"participants": ["sarah", "marco"]}
    """

  private static func message(
    _ id: String,
    _ text: String,
    from sender: String = "sarah",
    at second: Int = 1,
    _ rest: String = ""
  ) -> String {
    """
    "conversations/c1/messages/\(id)": {
      "senderId": "\(sender)", "language": "en", "text": "\(text)",
      "timestamp": {"timestampValue": "2025-10-21T10:00:0\(second)Z"}\(rest)}
    """
  }

  /// Creates a project with the two people's profiles and these documents.
  private func project(_ documents: String...) async throws -> String {
    let project = "demo-\(UUID().uuidString.lowercased())"
    try await sharedEmulator().write(
      "{\(([Self.people] + documents).joined(separator: ","))}",
      project: project
    )
    return project
  }

  private func run(
    _ question: ModelFaultTests.Question,
    project: String,
    _ server: LoopbackServer
  ) async throws -> FunctionRun {
    try await runFunction(
      question.function,
      input: question.call,
      environment: sharedEmulator().environment(project: project)
        .merging(["OPENAI_BASE_URL": server.url("/v1")]) { $1 }
    )
  }

  /// Calls a function whose model gives a good answer, and returns the model's input.
  private func given(
    _ question: ModelFaultTests.Question,
    project: String
  ) async throws -> String {
    let server = try LoopbackServer(model: [ModelAnswer(content: question.good)])
    defer { server.stop() }
    let run = try await run(question, project: project, server)
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    return try #require(server.bodies.first?.at("messages.1.content")?.string)
  }

  private static let text = "Break a leg at your interview tomorrow!"

  @Test(arguments: ModelFaultTests.questions)
  func `the messages of a member who opted out and left never reach the model`(
    question: ModelFaultTests.Question
  ) async throws {
    let project = try await project(
      Self.conversation,
      #""users/gone": {"primaryLanguage": "en", "aiOptOut": true}"#,
      Self.message("m0", "PLANTED", from: "gone", at: 0),
      Self.message("m1", Self.text)
    )
    #expect(try await !given(question, project: project).contains("PLANTED"))
  }

  @Test func `later messages aren't given as context of an earlier one`() async throws {
    let project = try await project(
      Self.conversation,
      Self.message("m0", "EARLIER", at: 0),
      Self.message("m1", Self.text, at: 1),
      Self.message("m2", "LATER", at: 2)
    )
    let given = try await given(ModelFaultTests.analysis, project: project)
    #expect(given.contains("EARLIER"))
    #expect(!given.contains("LATER"))
  }

  @Test(arguments: ModelFaultTests.questions)
  func `without a conversation document the model sees only what the two people said`(
    question: ModelFaultTests.Question
  ) async throws {
    let project = try await project(
      Self.message("m0", "PLANTED to Eve", at: 0, #", "recipientId": "eve""#),
      Self.message("m5", "PLANTED by Eve", from: "eve", at: 5, #", "recipientId": "marco""#),
      Self.message("m2", "OURS", from: "marco", at: 6, #", "recipientId": "sarah""#),
      Self.message("m1", Self.text, at: 7, #", "recipientId": "marco""#)
    )
    let given = try await given(question, project: project)
    #expect(given.contains("OURS"))
    #expect(!given.contains("PLANTED"))
  }

  @Test(arguments: ModelFaultTests.questions)
  func `without a conversation document the caller's opt-out still counts`(
    question: ModelFaultTests.Question
  ) async throws {
    let project = try await project(
      #""users/marco": {"primaryLanguage": "it", "aiOptOut": "yes"}"#,
      Self.message("m1", Self.text, at: 7, #", "recipientId": "marco""#)
    )
    let server = try LoopbackServer(model: [ModelAnswer(content: question.good)])
    defer { server.stop() }
    let run = try await run(question, project: project, server)
    #expect((run.exitCode, run.errorCode) == (65, "FAILED_PRECONDITION"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ModelFaultTests.questions, ["mallory/x", "mallory/devices/marco", "..", "7"])
  func `a message with an impossible sender id breaks nothing`(
    question: ModelFaultTests.Question,
    sender: String
  ) async throws {
    let project = try await project(
      Self.conversation,
      #""users/mallory/devices/marco": {"fcmToken": "t"}"#,
      Self.message("m0", "Hello", from: sender, at: 0),
      Self.message("m1", Self.text)
    )
    #expect(try await given(question, project: project).contains("Break a leg"))
  }

  @Test func `two concurrent callers ask the model once and both get the answer`() async throws {
    let project = try await project(Self.conversation, Self.message("m1", Self.text))
    let server = try LoopbackServer(model: [
      ModelAnswer(content: ModelFaultTests.analysis.good)
    ])
    defer { server.stop() }
    async let one = run(ModelFaultTests.analysis, project: project, server)
    async let other = run(ModelFaultTests.analysis, project: project, server)
    let runs = try await [one, other]
    for run in runs { #expect(run.exitCode == 0, Comment(rawValue: run.line.text)) }
    #expect(runs[0].result == runs[1].result)
    #expect(runs.flatMap(\.writes) == ["aiAnalysis/m1"], "the analysis is written once")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["It's raining cats and dogs!", nil])
  func `an analysis isn't stored if the text is changed or deleted meanwhile`(
    newText: String?
  ) async throws {
    let project = try await project(Self.conversation, Self.message("m1", Self.text))
    let emulator = try sharedEmulator()
    let isChanged = DispatchSemaphore(value: 0)
    let answer = ModelAnswer(content: ModelFaultTests.analysis.good)
    let server = try LoopbackServer(model: answer) { isChanged.wait() }
    defer { server.stop() }
    async let running = run(ModelFaultTests.analysis, project: project, server)
    await server.wait(for: .requested)
    if let newText {
      try await emulator.write("{\(Self.message("m1", newText))}", project: project)
    } else {
      let target = emulator.documents("/conversations/c1/messages/m1", project: project)
      let deletion = try await emulator.request("DELETE", "firestore", target)
      #expect(deletion.status == 200)
    }
    isChanged.signal()
    let run = try await running
    #expect(run.errorCode == (newText == nil ? "NOT_FOUND" : "ABORTED"))
    #expect(run.exitCode == (newText == nil ? 65 : 75))
    #expect(run.writes == [])
    #expect(try await emulator.fields(of: "aiAnalysis/m1", project: project) == nil)
  }

  @Test func `twelve readers who open a message at once all get their answer`() async throws {
    let languages = ["it", "fr", "de", "es", "pt", "nl", "pl", "sv", "tr", "ro", "ja", "ko"]
    let readers = languages.map { #""users/\#($0)": {"primaryLanguage": "\#($0)"}"# }
    let members = (["sarah"] + languages).map { "\"\($0)\"" }.joined(separator: ",")
    let project = try await project(
      readers.joined(separator: ","),
      #""conversations/c1": {"participants": [\#(members)]}"#,
      Self.message("m1", "See you at six")
    )
    let nothing =
      #"{"hasCulturalContext":false,"type":"none","idiomDetected":null,"explanation":"","#
      + #""relevance":"low","suggestedEquivalent":null}"#
    let server = try LoopbackServer(model: [ModelAnswer(content: nothing)])
    defer { server.stop() }
    let emulator = try sharedEmulator()
    let environment = try emulator.environment(project: project)
      .merging(["OPENAI_BASE_URL": server.url("/v1")]) { $1 }
    let runs = try await withThrowingTaskGroup(of: FunctionRun.self) { group in
      for language in languages {
        group.addTask {
          try await runFunction(
            "analyzeMessage",
            input: #"{"data":{"conversationId":"c1","messageId":"m1"},"#
              + #""auth":{"uid":"\#(language)"}}"#,
            environment: environment
          )
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs { #expect(run.exitCode == 0, Comment(rawValue: run.line.text)) }
    let ledger = try #require(runs.first?.writes.first)
    let kept = try await emulator.fields(of: ledger, project: project)?["nothingFor"]?.object
    #expect(Set(kept.map { $0.keys.map(\.string) } ?? []) == Set(languages))
    #expect(server.requests.count == 12)
  }

  @Test func `after three failed analyses the model isn't asked again`() async throws {
    let project = try await project(Self.conversation, Self.message("m1", Self.text))
    let server = try LoopbackServer(model: [ModelAnswer(content: "{}")])
    defer { server.stop() }
    for _ in 1...3 {
      let failed = try await run(ModelFaultTests.analysis, project: project, server)
      #expect((failed.exitCode, failed.errorCode) == (75, "UNAVAILABLE"))
    }
    #expect(server.requests.count == 6)
    let last = try await run(ModelFaultTests.analysis, project: project, server)
    #expect((last.exitCode, last.errorCode) == (65, "FAILED_PRECONDITION"))
    #expect(server.requests.count == 6)
  }

  @Test func `a model that declined is not asked again`() async throws {
    let project = try await project(Self.conversation, Self.message("m1", Self.text))
    let server = try LoopbackServer(model: [ModelAnswer(content: nil, refusal: "No.")])
    defer { server.stop() }
    for _ in 1...2 {
      let declined = try await run(ModelFaultTests.analysis, project: project, server)
      #expect((declined.exitCode, declined.errorCode) == (65, "FAILED_PRECONDITION"))
    }
    #expect(server.requests.count == 1)
  }

  @Test func `the model's address isn't shown to users`() async throws {
    let project = try await project(Self.conversation, Self.message("m1", Self.text))
    let server = try LoopbackServer { _, _ in false }
    defer { server.stop() }
    let run = try await run(ModelFaultTests.analysis, project: project, server)
    #expect(
      run.errorMessage == "AI temporarily unavailable: the language model can't be reached"
    )
    #expect(run.errorText.contains("127.0.0.1:\(server.port)"), "the log must name the address")
  }
}
