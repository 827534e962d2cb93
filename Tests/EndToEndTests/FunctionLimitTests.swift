import Core
import TestKit
import Testing

/// The limits in the document `config/functions`.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct FunctionLimitTests {
  private static let chat = """
    {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
     "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
     "users/marco/devices/d1": {"fcmToken": "token-of-marco"},
     "conversations/c1": {"participants": ["sarah", "marco"]},
     "conversations/c1/messages/m1": {
       "senderId": "sarah", "language": "en", "text": "Dinner is at eight, at Da Gino.",
       "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
    """

  private let project = "demo-\(UUID().uuidString.lowercased())"

  /// Writes a conversation and the document `config/functions`.
  private func prepare(_ controls: String) async throws -> EmulatorProcess {
    let emulator = try sharedEmulator()
    try await emulator.write(Self.chat, project: project)
    try await emulator.write(#"{"config/functions": \#(controls)}"#, project: project)
    return emulator
  }

  private func ask(
    _ emulator: EmulatorProcess,
    by uid: String = "marco",
    at time: String = "2025-10-21T10:00:30Z",
    _ changes: [String: String] = [:]
  ) async throws -> FunctionRun {
    let environment = try emulator.environment(project: project).merging([
      "INVOCATION_TIME": time, "INVOCATION_ID": UUID().uuidString,
    ]) { $1 }
    return try await runFunction(
      "askAI",
      input:
        #"{"data":{"conversationId":"c1","query":"When is dinner?"},"auth":{"uid":"\#(uid)"}}"#,
      environment: environment.merging(changes) { $1 }
    )
  }

  // MARK: The switch

  @Test(arguments: Products.functions)
  func `a paused function does nothing and asks for a retry`(
    function: String
  ) async throws {
    let emulator = try sharedEmulator()
    let fixture = try #require(
      try Fixture.all(of: function).first { $0.expected["status"] == .string("ok") }
    )
    try await emulator.write(fixture.documents, project: project)
    try await emulator.write(
      #"{"config/functions": {"\#(function)": {"paused": true}}}"#,
      project: project
    )
    let run = try await runFunction(
      function,
      input: fixture.event(project: project).text,
      environment: emulator.environment(project: project)
    )
    #expect(run.exitCode == 75, Comment(rawValue: run.line.text))
    #expect(run.errorMessage == "\(function) is paused by config/functions")
    #expect(run.line.at("error.retryAfterMs") == .integer(30_000))
    #expect(run.writes.isEmpty)
    #expect(run.line.at("usage.providerCalls") == .integer(0))
  }

  @Test func `an invalid document is a configuration error that names the member`()
    async throws
  {
    let emulator = try await prepare(#"{"askAI": {"paused": "yes"}}"#)
    let run = try await ask(emulator)
    #expect(run.exitCode == 78)
    #expect(run.errorMessage == "config/functions: askAI.paused is not a boolean")
  }

  // MARK: Users

  @Test func `a user has a limit a minute, and doesn't use up other users'`() async throws {
    let emulator = try await prepare(#"{"askAI": {"perUserPerMinute": 2}}"#)
    #expect(try await ask(emulator).exitCode == 0)
    #expect(try await ask(emulator).exitCode == 0)
    let third = try await ask(emulator)
    #expect(third.exitCode == 75)
    #expect(third.errorCode == "RESOURCE_EXHAUSTED")
    #expect(
      third.errorMessage
        == "AI temporarily unavailable: askAI: too many requests by one user: more than 2 a minute"
    )
    #expect(third.line.at("error.limit") == .string("user"))
    #expect(third.line.at("error.retryAfterMs") == .integer(30_000))
    #expect(third.line.at("usage.providerCalls") == .integer(0))
    #expect(try await ask(emulator, by: "sarah").exitCode == 0)
    #expect(try await ask(emulator, at: "2025-10-21T10:01:00Z").exitCode == 0)
  }

  @Test func `all users together have a limit, and a refusal doesn't count for the user`()
    async throws
  {
    let emulator = try await prepare(#"{"askAI": {"perDay": 2, "perMinute": 1}}"#)
    #expect(try await ask(emulator).exitCode == 0)
    let second = try await ask(emulator, by: "sarah")
    #expect(second.exitCode == 75)
    #expect(
      second.errorMessage
        == "AI temporarily unavailable: askAI: too many requests by all users: more than 1 a minute"
    )
    #expect(second.line.at("error.limit") == .string("everybody"))
    #expect(second.line.at("error.retryAfterMs") == .integer(30_000))
    #expect(try await ask(emulator, by: "sarah", at: "2025-10-21T10:01:00Z").exitCode == 0)
    let fourth = try await ask(emulator, at: "2025-10-21T23:00:00Z")
    #expect(
      fourth.errorMessage
        == "AI temporarily unavailable: askAI: too many requests by all users: more than 2 a day"
    )
    #expect(try await ask(emulator, at: "2025-10-22T00:00:00Z").exitCode == 0)
    let days = [
      "askAI_2025-10-21": 2, "askAI_2025-10-21_marco": 1, "askAI_2025-10-21_sarah": 1,
      "askAI_2025-10-22": 1, "askAI_2025-10-22_marco": 1,
    ]
    #expect(try await emulator.collection("limits", project: project).count == days.count)
    for (day, count) in days {
      let total = try await emulator.fields(of: "limits/\(day)", project: project)?["total"]
      #expect(total == .integer(Int64(count)), "\(day)")
    }
  }

  @Test func `a user has a limit a day`() async throws {
    let emulator = try await prepare(#"{"askAI": {"perUserPerDay": 1}}"#)
    #expect(try await ask(emulator, at: "2025-10-21T10:00:00Z").exitCode == 0)
    let second = try await ask(emulator, at: "2025-10-21T23:00:00Z")
    #expect(second.errorCode == "RESOURCE_EXHAUSTED")
    #expect(second.line.at("error.retryAfterMs") == .integer(3_600_000))
    #expect(try await ask(emulator, at: "2025-10-22T00:00:00Z").exitCode == 0)
    let counts = try await emulator.collection("limits", project: project)
    #expect(counts.count == 2)
    for count in counts {
      #expect(count.at("fields.expiresAt.timestampValue")?.string?.hasPrefix("2025-10-2") == true)
    }
  }

  @Test func `a refused request doesn't count`() async throws {
    let emulator = try await prepare(#"{"askAI": {"perUserPerMinute": 1, "perUserPerDay": 2}}"#)
    #expect(try await ask(emulator).exitCode == 0)
    for _ in 1...3 { #expect(try await ask(emulator).errorCode == "RESOURCE_EXHAUSTED") }
    #expect(try await ask(emulator, at: "2025-10-21T10:01:00Z").exitCode == 0)
    #expect(
      try await ask(emulator, at: "2025-10-21T10:02:00Z").errorMessage?
        .hasSuffix("too many requests by one user: more than 2 a day") == true
    )
  }

  @Test func `anonymous callers have limits, too`() async throws {
    let emulator = try await prepare(#"{"translateMessage": {"perUserPerMinute": 1}}"#)
    for (text, exitCode) in [("Good morning", 0), ("See you tomorrow", 75)] {
      let run = try await runFunction(
        "translateMessage",
        input: #"{"text":"\#(text)","sourceLang":"en","targetLang":"it"}"#,
        environment: emulator.environment(project: project)
          .merging(["INVOCATION_TIME": "2025-10-21T10:00:00Z"]) { $1 }
      )
      #expect(Int(run.exitCode) == exitCode, Comment(rawValue: run.line.text))
    }
  }

  @Test func `a text in the cache counts for no one's limit`() async throws {
    let emulator = try await prepare(#"{"translateMessage": {"perUserPerDay": 1}}"#)
    func translate(_ text: String) async throws -> FunctionRun {
      try await runFunction(
        "translateMessage",
        input:
          #"{"data":{"text":"\#(text)","sourceLang":"en","targetLang":"it"},"auth":{"uid":"marco"}}"#,
        environment: emulator.environment(project: project)
          .merging(["INVOCATION_TIME": "2025-10-21T10:00:00Z"]) { $1 }
      )
    }
    #expect(try await translate("Good morning").exitCode == 0)
    let second = try await translate("See you tomorrow")
    #expect(second.exitCode == 75)
    #expect(
      second.errorMessage
        == "translateMessage: too many requests by one user: more than 1 a day"
    )
    let again = try await translate("Good morning")
    #expect(again.exitCode == 0)
    #expect(again.line.at("usage.cacheHits") == .integer(1))
    // A refused call leaves no lease for which another user's call would wait.
    #expect(try await emulator.collection("leases", project: project).isEmpty)
  }

  // MARK: Days

  @Test func `the day's budget ends with what has been paid`() async throws {
    let emulator = try await prepare(#"{"askAI": {"dailyCostMicros": 1000}}"#)
    let prices = ["PRICES": #"{"models":{"emulator-rules":{"input":1000,"output":0}}}"#]
    let first = try await ask(emulator, prices)
    #expect(first.exitCode == 0, Comment(rawValue: first.line.text))
    let cost = try #require(first.line.at("usage.costMicros")?.integer)
    #expect(cost > 1_000)
    let day = try await emulator.fields(of: "limits/askAI_2025-10-21", project: project)
    #expect(day?["costMicros"]?.integer == cost)
    let second = try await ask(emulator, by: "sarah", prices)
    #expect(second.errorCode == "RESOURCE_EXHAUSTED")
    #expect(second.errorMessage?.hasSuffix("the day's budget is used up") == true)
    #expect(try await ask(emulator, at: "2025-10-22T00:00:00Z", prices).exitCode == 0)
  }

  @Test func `without a budget for translation a push carries the original`() async throws {
    let emulator = try await prepare(
      #"{"translateMessage": {"dailyCostMicros": 0}, "sendNotification": {}}"#
    )
    let created = try #require(
      try Fixture.all(of: "sendNotification").first { $0.name == "created-one-on-one" }
    )
    try await emulator.write(created.documents, project: project)
    let run = try await runFunction(
      "sendNotification",
      input: created.event(project: project).text,
      environment: emulator.environment(project: project)
    )
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    let recipient = try #require(run.result?["recipients"]?.array?.first)
    #expect(recipient["reason"] == .string("translateMessage: the day's budget is used up"))
    #expect(recipient["sent"]?.integer != 0)
    #expect(run.line.at("usage.charactersBilled") == .integer(0))
  }
}
