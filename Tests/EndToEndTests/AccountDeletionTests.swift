import Core
import HTTPClient
import TestKit
import Testing

/// The deletion of a forgotten user's account, by a real process of forgetUser.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct AccountDeletionTests {
  private static let call = #"{"data":{"uid":"sarah"},"auth":{"uid":"sarah"}}"#
  private static let deleted = ScriptedAnswer(
    200,
    #"{"kind":"identitytoolkit#DeleteAccountResponse"}"#
  )
  private static let refused = ScriptedAnswer(
    403,
    #"{"error":{"code":403,"message":"PLANTED","status":"PERMISSION_DENIED"}}"#
  )
  /// A wait that is longer than any function waits.
  private static let busy = ScriptedAnswer(429, headers: ["Retry-After: 60"])

  /// Runs the function in a project of its own.
  ///
  /// - Parameters:
  ///   - host: the address of Authentication, or `nil` for none.
  private func run(
    _ project: String,
    _ host: String?,
    _ changes: [String: String] = [:]
  ) async throws -> FunctionRun {
    let emulator = try sharedEmulator()
    try await emulator.write(#"{"users/sarah":{"displayName":"Sarah"}}"#, project: project)
    var environment = try emulator.environment(project: project)
    environment["FIREBASE_AUTH_EMULATOR_HOST"] = host
    return try await runFunction(
      "forgetUser",
      input: Self.call,
      environment: environment.merging(changes) { $1 }
    )
  }

  private func newProject() -> String { "demo-\(UUID().uuidString.lowercased())" }

  private func profile(_ project: String) async throws -> JSONValue? {
    try await sharedEmulator().fields(of: "users/sarah", project: project)
  }

  @Test func `an account is deleted once, and its absence is no error`() async throws {
    let emulator = try sharedEmulator()
    let accounts = "/identitytoolkit.googleapis.com/v1/projects/\(emulator.project)/accounts"
    let created = try await emulator.request(
      "POST",
      "auth",
      accounts,
      headers: [.init("Authorization", "Bearer owner")],
      json: #"{"localId":"sarah","email":"sarah@example.com"}"#
    )
    #expect(created.status == 200, Comment(rawValue: created.text))
    for outcome in ["deleted", "absent"] {
      let run = try await run(emulator.project, emulator.address("auth"))
      #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
      #expect(run.result?["account"] == .string(outcome))
    }
    let found = try await emulator.request(
      "POST",
      "auth",
      "\(accounts):lookup",
      headers: [.init("Authorization", "Bearer owner")],
      json: #"{"localId":["sarah"]}"#
    )
    #expect(found.status == 200 && found.json["users"] == nil, Comment(rawValue: found.text))
  }

  @Test(arguments: [
    (busy, 75, "RESOURCE_EXHAUSTED", 1), (ScriptedAnswer(503), 75, "UNAVAILABLE", 3),
    (ScriptedAnswer(200, "<html>"), 75, "UNAVAILABLE", 1), (refused, 78, "PERMISSION_DENIED", 1),
  ])
  func `the account is deleted last, so a retry has only this left to do`(
    answer: ScriptedAnswer,
    exitCode: Int32,
    code: String,
    requests: Int
  ) async throws {
    let server = try LoopbackServer(
      answers: Array(repeating: answer, count: requests) + [Self.deleted]
    )
    defer { server.stop() }
    let project = newProject()
    let failed = try await run(project, "127.0.0.1:\(server.port)")
    #expect(failed.exitCode == exitCode, Comment(rawValue: failed.line.text))
    #expect(failed.errorCode == code)
    #expect(!failed.line.text.contains("PLANTED") && !failed.errorText.contains("PLANTED"))
    if exitCode == 78 {
      #expect(failed.errorMessage?.contains("worldchatAccountDeleter") == true)
    }
    #expect(try await profile(project) == nil)
    #expect(server.requests.count == requests)
    let second = try await run(project, "127.0.0.1:\(server.port)")
    #expect(second.exitCode == 0, Comment(rawValue: second.line.text))
    #expect(second.result?["account"] == .string("deleted"))
  }

  @Test func `the account stays if data is left`() async throws {
    let server = try LoopbackServer(answers: [Self.deleted])
    defer { server.stop() }
    // No process listens on port 1.
    let run = try await run(
      newProject(),
      "127.0.0.1:\(server.port)",
      ["FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"]
    )
    #expect(run.exitCode == 75, Comment(rawValue: run.line.text))
    #expect(server.requests.isEmpty)
  }

  @Test func `with Firestore's emulator alone there is no account`() async throws {
    let project = newProject()
    let run = try await run(project, nil)
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    #expect(run.result?["account"] == .string("noAuthentication"))
    #expect(try await profile(project) == nil)
  }

  @Test func `an emulator without Authentication deletes no account in production`() async throws {
    try await withEmulatorShell { shell in
      let run = try await shell.exec(
        "--only",
        "firestore,functions",
        script: "echo '\(Self.call)' | forgetUser"
      )
      let line = try json(run.text)
      try Schema.result.check(line)
      #expect(run.exitCode == 0, Comment(rawValue: run.text))
      #expect(line.at("result.account") == .string("noAuthentication"))
    }
  }
}
