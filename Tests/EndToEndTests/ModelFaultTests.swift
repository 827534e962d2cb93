import Core
import FunctionHost
import TestKit
import Testing

/// Faults of a scripted model, with real processes and sockets.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ModelFaultTests {
  /// A function, a call of it, and a good answer of the model to that call.
  struct Question: Sendable, CustomTestStringConvertible {
    var function: String
    var call: String
    var good: String
    /// The prefix of the paths that the function writes after a good answer.
    var writes: String

    var testDescription: String { function }
  }

  static let analysis = Question(
    function: "analyzeMessage",
    call: #"{"data":{"conversationId":"c1","messageId":"m1"},"auth":{"uid":"marco"}}"#,
    good: #"{"hasCulturalContext":true,"type":"idiom","idiomDetected":"break a leg","#
      + #""explanation":"È un augurio di buona fortuna.","relevance":"high","#
      + #""suggestedEquivalent":"In bocca al lupo"}"#,
    writes: "aiAnalysis/m1"
  )
  static let replies = Question(
    function: "smartReplies",
    call: #"{"data":{"conversationId":"c1"},"auth":{"uid":"marco"}}"#,
    good: #"{"suggestions":[{"text":"Grazie mille!","translation":"Thanks a lot!"},"#
      + #"{"text":"Speriamo bene.","translation":"Let's hope so."},"#
      + #"{"text":"Crepi il lupo!","translation":"Thank you!"}]}"#,
    writes: "smartReplies/c1_marco"
  )
  static let query = Question(
    function: "askAI",
    call:
      #"{"data":{"conversationId":"c1","query":"Quando è il colloquio?"},"auth":{"uid":"marco"}}"#,
    good: #"{"answer":"Il colloquio è domani, dice [P1].","found":true,"sources":["m1"]}"#,
    writes: "aiChats/marco/queries/"
  )
  static let questions = [analysis, replies, query]

  /// A fault of the model, and the expected outcome.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answers: @Sendable (Question) -> [ModelAnswer]
    var exitCode: Int32
    var code: String
    var message: String
    /// The expected number of requests to the provider.
    var requests: Int

    init(
      _ description: String,
      _ exitCode: Int32,
      _ code: String,
      _ message: String,
      requests: Int,
      _ answers: @escaping @Sendable (Question) -> [ModelAnswer]
    ) {
      testDescription = description
      self.answers = answers
      self.exitCode = exitCode
      self.code = code
      self.message = message
      self.requests = requests
    }

    /// Returns a fault that the model repeats when the function asks it a second time.
    static func unusable(
      _ description: String,
      _ message: String,
      _ answer: @escaping @Sendable (Question) -> ModelAnswer
    ) -> Fault {
      Fault(
        description,
        75,
        "UNAVAILABLE",
        "AI temporarily unavailable: " + message,
        requests: 2
      ) { [answer($0)] }
    }
  }

  static let faults = [
    Fault.unusable("truncated", "the answer was cut off") {
      ModelAnswer(content: String($0.good.prefix(30)), finishReason: "length")
    },
    .unusable("not JSON", "the answer is not valid JSON") { _ in
      ModelAnswer(content: "PLANTED Sure! Here you are:")
    },
    .unusable("no content", "the answer is empty") { _ in ModelAnswer(content: nil) },
    .unusable("off schema: a member too many", "the answer is refused: a field that") {
      ModelAnswer(content: $0.good.dropLast() + #","PLANTED":1}"#)
    },
    .unusable("off schema: empty", "the answer has no ") { _ in ModelAnswer(content: "{}") },
    .unusable("off schema: an array", "the answer ") { ModelAnswer(content: "[\($0.good)]") },
    .unusable("a link", "") {
      ModelAnswer(
        content: $0.good.replacing("colloquio è domani", with: "sito è www.planted.example")
          .replacing("Speriamo bene", with: "Vedi www.planted.example")
          .replacing("buona fortuna", with: "www.planted.example")
      )
    },
    .unusable("the wrong language", "") {
      ModelAnswer(
        content: $0.good.replacing("Il colloquio è domani, dice", with: "It will be tomorrow, says")
          .replacing("Speriamo bene.", with: "I hope that it will be good for you")
          .replacing("È un augurio di buona fortuna.", with: "It is what you say for good luck.")
      )
    },
    Fault("declined", 65, "FAILED_PRECONDITION", "the language model declined", requests: 1) { _ in
      [ModelAnswer(content: nil, refusal: "PLANTED I can't help with that.")]
    },
    Fault("filtered", 65, "FAILED_PRECONDITION", "the language model declined", requests: 1) {
      [ModelAnswer(content: $0.good, finishReason: "content_filter")]
    },
    Fault("500", 75, "UNAVAILABLE", "AI temporarily unavailable", requests: 2) { _ in
      [ModelAnswer(.init(500, "PLANTED"))]
    },
    Fault("HTML", 75, "UNAVAILABLE", "AI temporarily unavailable", requests: 1) { _ in
      [ModelAnswer(.init(200, "<html>PLANTED"))]
    },
    Fault("429", 75, "RESOURCE_EXHAUSTED", "AI temporarily unavailable", requests: 1) { _ in
      [ModelAnswer(.init(429, headers: ["Retry-After: 60"]))]
    },
    Fault("out of quota", 78, "RESOURCE_EXHAUSTED", "OPENAI_API_KEY", requests: 1) { _ in
      [ModelAnswer(.init(429, #"{"error":{"type":"insufficient_quota","message":"PLANTED"}}"#))]
    },
    Fault("our key refused", 78, "PERMISSION_DENIED", "OPENAI_API_KEY", requests: 1) { _ in
      [ModelAnswer(.init(401, #"{"error":{"message":"PLANTED"}}"#))]
    },
    Fault("no such model", 78, "NOT_FOUND", "OPENAI_MODEL", requests: 1) { _ in
      [ModelAnswer(.init(404))]
    },
  ]

  @Test(arguments: faults, questions)
  func `a model's fault is reported as what it is, and nothing is stored`(
    fault: Fault,
    question: Question
  ) async throws {
    let (run, server) = try await ask(question, fault.answers(question))
    let line = Comment(rawValue: run.line.text)
    if question.function == "smartReplies", fault.exitCode == 75 {
      #expect(run.exitCode == 0, line)
      #expect(run.result?["engine"] == .string("fallback"), line)
    } else {
      #expect(run.exitCode == fault.exitCode, line)
      #expect(run.errorCode == fault.code, line)
      #expect(run.errorMessage?.contains(fault.message) == true, line)
    }
    #expect(server.requests.count == fault.requests)
    // The function stores only askAI's question, or analyzeMessage's count of failures.
    let kept = question.function == "askAI" ? question.writes : "functionEvents/analyzeMessage_"
    #expect(run.writes.allSatisfy { $0.hasPrefix(kept) }, line)
    // No result and no log line contains a text of the model or of a user.
    for text in ["PLANTED", "planted.example", "interview", "colloquio", "Break"] {
      #expect(!run.line.text.contains(text), line)
      #expect(!run.errorText.contains(text), Comment(rawValue: run.errorText))
    }
  }

  @Test(arguments: questions)
  func `an unusable answer is requested again, with what was wrong`(
    question: Question
  ) async throws {
    let (run, server) = try await ask(
      question,
      [ModelAnswer(content: "{}"), ModelAnswer(content: question.good)]
    )
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    // askAI first writes the question, and then the answer.
    #expect(run.writes.count == (question.function == "askAI" ? 2 : 1))
    #expect(run.writes.allSatisfy { $0.hasPrefix(question.writes) })
    #expect(run.line.at("usage.providerCalls") == .integer(2))
    #expect(run.line.at("usage.promptTokens") == .integer(200))
    #expect(run.line.at("usage.engines") == .array([.string("scripted")]))
    let heads = server.bodies.map { $0.at("messages.0.content")?.string ?? "" }
    try #require(heads.count == 2)
    // A server may ignore the schema in the request, so the second prompt has it too.
    #expect(heads[1].hasPrefix(heads[0] + "\n\nAnswer with nothing but one JSON object"))
    #expect(heads[1].contains("\n\nYour last answer was refused: the answer has no "))
  }

  @Test(arguments: questions)
  func `a caller's deadline ends the wait for a model that hangs`(
    question: Question
  ) async throws {
    let server = try LoopbackServer { _, connection in connection.stall() }
    defer { server.stop() }
    let project = try await project()
    let worker = try await WorkerSession(
      question.function,
      environment: sharedEmulator().environment(project: project)
        .merging(["OPENAI_BASE_URL": server.url("/v1")]) { $1 }
    )
    // Eight seconds are enough to read the documents. The model gets the remaining time.
    let deadline = Date().addingTimeInterval(8).ISO8601Format()
    try await worker.send(
      #"{"event":\#(question.call),"invocation":{"id":"i","deadline":"\#(deadline)"}}"#
    )
    let result = try #require(try await worker.nextResult())
    worker.process.closeInput()
    if question.function == "smartReplies" {
      #expect(result.at("result.engine") == .string("fallback"))
    } else {
      #expect(result["exitCode"] == .integer(75))
      #expect(result.at("error.code") == .string("DEADLINE_EXCEEDED"))
      #expect(
        result.at("error.message")
          == .string("AI temporarily unavailable: the invocation's deadline has passed")
      )
    }
    let written = (result["writes"]?.array ?? []).compactMap { $0["document"]?.string }
    #expect(written.allSatisfy { question.function == "askAI" && $0.hasPrefix(question.writes) })
    #expect(server.requests.count == 1)
    #expect(await worker.process.exitStatus() == .exited(0))
  }

  /// Only this test waits for the full time limit of a model request, twenty seconds.
  @Test func `a model that hangs is abandoned before the invocation's own deadline`() async throws {
    let server = try LoopbackServer { _, connection in connection.stall() }
    defer { server.stop() }
    let run = try await ask(Self.analysis, server)
    #expect((run.exitCode, run.errorCode) == (75, "UNAVAILABLE"))
    #expect(
      run.errorMessage == "AI temporarily unavailable: the language model took too long"
    )
    #expect(run.writes == [])
    #expect(server.requests.count == 1)
  }

  @Test func `two replies, or three with a duplicate, are refused`()
    async throws
  {
    for suggestions in [
      #"[{"text":"Grazie","translation":"Thanks"},{"text":"No","translation":"No"}]"#,
      #"[{"text":"Grazie","translation":"Thanks"},{"text":"No","translation":"No"},"#
        + #"{"text":"grazie!","translation":"Thank you"}]"#,
    ] {
      let (run, server) = try await ask(
        Self.replies,
        [ModelAnswer(content: #"{"suggestions":\#(suggestions)}"#)]
      )
      #expect(run.result?["engine"] == .string("fallback"))
      #expect(server.requests.count == 2)
    }
  }

  // MARK: One question

  private func ask(
    _ question: Question,
    _ answers: [ModelAnswer]
  ) async throws -> (FunctionRun, LoopbackServer) {
    let server = try LoopbackServer(model: answers)
    defer { server.stop() }
    return (try await ask(question, server), server)
  }

  private func ask(_ question: Question, _ server: LoopbackServer) async throws -> FunctionRun {
    let project = try await project()
    return try await runFunction(
      question.function,
      input: question.call,
      environment: sharedEmulator().environment(project: project)
        .merging(["OPENAI_BASE_URL": server.url("/v1")]) { $1 }
    )
  }

  /// Creates a project with a conversation and a message.
  private func project() async throws -> String {
    let project = "demo-\(UUID().uuidString.lowercased())"
    try await sharedEmulator().write(
      """
      {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
       "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
       "conversations/c1": {"participants": ["sarah", "marco"]},
       "conversations/c1/messages/m1": {
         "senderId": "sarah", "language": "en", "text": "Break a leg at your interview tomorrow!",
         "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
      """,
      project: project
    )
    return project
  }
}
