import Core
import Delivery
import FunctionRuntime
import HTTPClient
import Services
import TestKit
import Testing

/// Triggers of this package's functions that are registered at Google's Firestore emulator.
@Suite(.timeLimit(.minutes(10)))
struct GoogleEmulatorTests {
  private static let manifest = """
    {"contract":1,"name":"probe","triggers":[\
    {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"},\
    {"eventType":"google.cloud.firestore.document.v1.written.withAuthContext",\
    "document":"{all=**}","database":"other","fields":["text"]}]}
    """

  private func register(
    _ functions: Functions,
    at server: LoopbackServer
  ) async throws(StatusError) {
    try await GoogleEmulator(
      Addresses.Address(host: "127.0.0.1", port: Int(server.port)),
      transport: functions.transport
    ).register(
      functions.dispatcher.catalog,
      project: "demo-p",
      functions: Addresses.Address(host: "127.0.0.1", port: 5001)
    )
  }

  @Test func `every trigger is registered under a key of its own`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200, "{}")])
    defer { server.stop() }
    try await withFunctions(Self.manifest) { functions in
      try await register(functions, at: server)
      let route = "/emulator/v1/projects/demo-p/eventarcTrigger?eventarcTriggerId=probe-"
      #expect(server.requests.map(\.target) == [route + "0", route + "1"])
      let bodies = try server.requests.map { try JSONValue(parsing: $0.body) }
      let expected = [
        """
        {"eventType":"google.cloud.firestore.document.v1.created","database":"(default)",\
        "namespace":"(default)","document":{"value":"notes/{id}","matchType":"PATH_PATTERN"}}
        """,
        """
        {"eventType":"google.cloud.firestore.document.v1.written.withAuthContext",\
        "database":"other","namespace":"(default)",\
        "document":{"value":"{all=**}","matchType":"PATH_PATTERN"}}
        """,
      ]
      #expect(bodies == (try expected.map(json)))
    }
  }

  @Test func `a refused trigger is named, with how to start that emulator`()
    async throws
  {
    let server = try LoopbackServer(answers: [ScriptedAnswer(200), ScriptedAnswer(500)])
    defer { server.stop() }
    try await withFunctions(Self.manifest) { functions in
      let error = await #expect(throws: StatusError.self) {
        try await register(functions, at: server)
      }
      #expect(error?.code == .failedPrecondition)
      #expect(
        error?.message == """
          Firestore's emulator at 127.0.0.1:\(server.port) didn't take the trigger probe-1: \
          it answered 500; start it with --functions_emulator=127.0.0.1:5001
          """
      )
    }
  }
}
