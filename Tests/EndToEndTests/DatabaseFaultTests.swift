import Core
import TestKit
import Testing

/// Faults of the Realtime Database, and what real processes of the functions that write to it do.
///
/// The table is in Functions/FAULTS.md.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct DatabaseFaultTests {
  private static let done = ScriptedAnswer(204)

  /// Fixtures whose functions write to the Realtime Database. mirrorPresence reads there first.
  private static let cases = [
    "mirrorMembership/created", "mirrorPresence/nobody-offline", "forgetUser/call",
  ]

  private func run(_ name: String, _ server: LoopbackServer) async throws -> FunctionRun {
    let emulator = try sharedEmulator()
    let project = "demo-\(UUID().uuidString.lowercased())"
    let function = String(name.prefix { $0 != "/" })
    let fixture = try #require(
      try Fixture.all(of: function).first { $0.description == name }
    )
    try await emulator.write(fixture.documents, project: project)
    var environment = try emulator.environment(project: project)
    environment["FIREBASE_DATABASE_EMULATOR_HOST"] = "127.0.0.1:\(server.port)"
    environment["FIREBASE_AUTH_EMULATOR_HOST"] = nil
    return try await runFunction(
      function,
      input: fixture.event(project: project).text,
      environment: environment
    )
  }

  @Test(
    arguments: cases,
    [
      (ScriptedAnswer(503), 75, "UNAVAILABLE", 3),
      (ScriptedAnswer(429, headers: ["Retry-After: 60"]), 75, "RESOURCE_EXHAUSTED", 1),
      (ScriptedAnswer(200, "<html>"), 75, "UNAVAILABLE", 1),
      (ScriptedAnswer(401, #"{"error":"PLANTED"}"#), 78, "PERMISSION_DENIED", 1),
      (ScriptedAnswer(404, #"{"error":"PLANTED"}"#), 78, "NOT_FOUND", 1),
      (ScriptedAnswer(423, #"{"error":"PLANTED"}"#), 78, "FAILED_PRECONDITION", 1),
      (ScriptedAnswer(400, #"{"error":"PLANTED"}"#), 70, "INTERNAL", 1),
    ]
  )
  func `a fault of the Realtime Database is reported, and its text isn't`(
    name: String,
    fault: (answer: ScriptedAnswer, exitCode: Int32, code: String, requests: Int)
  ) async throws {
    let server = try LoopbackServer(
      answers: Array(repeating: fault.answer, count: fault.requests) + [Self.done]
    )
    defer { server.stop() }
    let failed = try await run(name, server)
    let line = Comment(rawValue: failed.line.text)
    #expect(failed.exitCode == fault.exitCode, line)
    #expect(failed.errorCode == fault.code, line)
    #expect(server.requests.count == fault.requests)
    #expect(!failed.line.text.contains("PLANTED") && !failed.errorText.contains("PLANTED"))
  }

  @Test(arguments: cases)
  func `a fault that passes is not noticed`(name: String) async throws {
    // mirrorPresence reads the node before it deletes it.
    let node = ScriptedAnswer(200, headers: ["ETag: x"], #"{"state":"offline"}"#)
    let answers = (name.hasPrefix("mirrorPresence") ? [node] : []) + [Self.done]
    let server = try LoopbackServer(answers: [ScriptedAnswer(503)] + answers)
    defer { server.stop() }
    let run = try await run(name, server)
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    #expect(server.requests.count == 1 + answers.count)
  }
}
