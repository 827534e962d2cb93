import Core
import TestKit
import Testing

/// The fixtures of all functions, run with the built executables on an emulator.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct FixtureTests {
  static let all = Result {
    try Products.functions.flatMap { try Fixture.all(of: $0) }
  }

  @Test func `there are fixtures of every function`() throws {
    #expect(try Set(Self.all.get().map(\.function)) == Set(Products.functions))
  }

  @Test(arguments: (try? all.get()) ?? [])
  func `a recorded event has the recorded outcome`(_ fixture: Fixture) async throws {
    let emulator = try sharedEmulator()
    let project = "demo-\(UUID().uuidString.lowercased())"
    let expected = fixture.expected
    let event = fixture.event(project: project)
    if expected["exitCode"] == .integer(0) { try Schema.event.check(event) }
    if fixture.documents != .object([:]) {
      try await emulator.write(fixture.documents, project: project)
    }
    if !fixture.nodes.isEmpty { try await emulator.write(nodes: fixture.nodes, project: project) }

    let run = try await runFunction(
      fixture.function,
      input: event.text,
      // A call has no event ID, so documents take their IDs from the invocation's ID, which must be
      // fixed.
      environment: emulator.environment(project: project)
        .merging(["INVOCATION_ID": "fixture"]) { $1 }
        .merging(fixture.environment) { $1 }
    )

    let line = Comment(rawValue: run.line.text)
    #expect(run.exitCode == expected["exitCode"]?.integer.map(Int32.init), line)
    #expect(run.status == expected["status"]?.string, line)
    #expect(run.reason == expected["reason"]?.string, line)
    #expect(run.errorCode == expected["code"]?.string, line)
    if let message = expected["message"]?.string {
      #expect(run.errorMessage?.contains(message) == true, line)
    }
    if let result = expected["result"] { #expect(result.isPart(of: run.result), line) }
    if let usage = expected["usage"] { #expect(usage.isPart(of: run.line["usage"]), line) }
    if let latencies = expected["messageLatencies"]?.array {
      // The times differ from run to run.
      let names = run.line["messageLatencies"]?.object?.keys.map(\.string) ?? []
      #expect(Set(names) == Set(latencies.compactMap(\.string)), line)
    }
    let writes = try #require(expected["writes"]?.array).compactMap(\.string)
    #expect(Set(run.writes) == Set(writes), line)
    for (path, fields) in expected["after"]?.object ?? [:] {
      let document = try await emulator.fields(of: path.string, project: project)
      #expect(fields.isPart(of: document), "\(path): \(document?.text ?? "missing")")
    }
    for (path, value) in expected["nodes"]?.object ?? [:] {
      #expect(try await emulator.node(path.string, project: project) == value, "\(path)")
    }
    if let pushes = expected["pushes"]?.array {
      let sent = try await emulator.pushes(project: project).sorted { $0.token < $1.token }
      #expect(sent.count == pushes.count)
      for (push, wanted) in zip(sent, pushes) {
        #expect(wanted.isPart(of: push), Comment(rawValue: push.text))
      }
    }
  }
}

extension JSONValue {
  fileprivate var token: String { self["token"]?.string ?? "" }
}
