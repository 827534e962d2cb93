import Core
import GoogleAuth
import HTTPClient
import Providers
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RealtimeDatabaseClientTests {
  private struct Tokens: AccessTokenSource {
    func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
      AccessToken("PLANTED-bearer", expiry: .generous)
    }
  }

  private static let done = ScriptedAnswer(204)
  private static let values: [(String, JSONValue)] = [
    ("members/trip", .object(["sarah": .boolean(true)])), ("status/Zoë", .null),
  ]

  private func client(_ server: LoopbackServer) -> RealtimeDatabaseClient {
    RealtimeDatabaseClient(
      .google(url: server.url("") + "/", Tokens()),
      session: ProviderSession(transport: .forTests(), deadline: .generous, traceparent: "trace")
    )
  }

  @Test func `an update is one request of an administrator for all paths`() async throws {
    let server = try LoopbackServer(answers: [Self.done])
    defer { server.stop() }
    try await client(server).update(Self.values)
    let request = try #require(server.requests.first)
    #expect(request.method == "PATCH")
    #expect(request.target == "/.json?print=silent")
    #expect(request.headers["authorization"] == "Bearer PLANTED-bearer")
    #expect(request.headers["traceparent"] == "trace")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"members/trip":{"sarah":true},"status/Zoë":null}"#
    )
  }

  @Test func `an emulator gets the database's name, from its owner`() async throws {
    let server = try LoopbackServer(answers: [Self.done])
    defer { server.stop() }
    try await RealtimeDatabaseClient(
      .emulator(host: "127.0.0.1:\(server.port)", instance: "demo-p-default-rtdb"),
      session: ProviderSession(transport: .forTests(), deadline: .generous)
    ).update(Self.values)
    let request = try #require(server.requests.first)
    #expect(request.target == "/.json?ns=demo-p-default-rtdb&print=silent")
    #expect(request.headers["authorization"] == "Bearer owner")
  }

  @Test func `a value is read with its tag, and deleted only if it is the same`() async throws {
    let server = try LoopbackServer(
      answers: [
        ScriptedAnswer(200, headers: ["ETag: tag7"], #"{"state":"online"}"#), ScriptedAnswer(412),
      ]
    )
    defer { server.stop() }
    let client = client(server)
    let value = try await client.value(at: "status/Zoë +")
    #expect(value.value == .object(["state": .string("online")]))
    try await client.remove("status/Zoë +", if: value)
    let (read, removal) = (server.requests[0], server.requests[1])
    #expect(read.method == "GET" && read.target == "/status/Zo%C3%AB%20%2B.json")
    #expect(read.headers["x-firebase-etag"] == "true")
    #expect(removal.method == "DELETE" && removal.headers["if-match"] == "tag7")
  }

  @Test(arguments: [
    ("https://my-app-default-rtdb.firebaseio.com", "my-app-default-rtdb"),
    ("https://x.europe-west1.firebasedatabase.app/", "x"),
  ])
  func `a database's name is the first part of its URL's host`(url: String, name: String) {
    let session = ProviderSession(transport: .forTests(), deadline: .generous)
    #expect(RealtimeDatabaseClient(.google(url: url, Tokens()), session: session).instance == name)
  }

  @Test(arguments: [
    (ScriptedAnswer(503), StatusCode.unavailable, 3), (ScriptedAnswer(429), .resourceExhausted, 3),
    (ScriptedAnswer(502, "<html>"), .unavailable, 3),
    (ScriptedAnswer(200, "<html>"), .unavailable, 1),
  ])
  func `a temporary error is retried at once, and its error asks for a later retry`(
    answer: ScriptedAnswer,
    code: StatusCode,
    requests: Int
  ) async throws {
    let healing = try LoopbackServer(answers: [answer, answer, Self.done])
    defer { healing.stop() }
    if requests > 1 { try await client(healing).update(Self.values) }

    let failing = try LoopbackServer(answers: [answer])
    defer { failing.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await client(failing).update(Self.values)
    }
    #expect(error?.code == code)
    #expect(error?.fault == .request)
    #expect(failing.requests.count == requests)
  }

  @Test(arguments: [
    (401, "worldchatDatabaseEditor"), (403, "worldchatDatabaseEditor"),
    (404, "FIREBASE_DATABASE_URL: there is no such database"), (423, "disabled"),
    (301, "redirects aren't followed"),
  ])
  func `an error of the configuration names what to set`(
    status: Int,
    words: String
  ) async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(status, #"{"error":"PLANTED"}"#)])
    defer { server.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await client(server).update(Self.values)
    }
    #expect(error?.fault == .configuration)
    #expect(error?.message.contains(words) == true)
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test func `a rejected request is an internal error`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(400, #"{"error":"PLANTED"}"#)])
    defer { server.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await client(server).update(Self.values)
    }
    #expect(error?.code == .internal && error?.fault == .request)
    #expect(error?.message.contains("PLANTED") == false)
  }

  @Test(arguments: [
    ("sarah", true), ("Zoë ❤️", true), (String(repeating: "é", count: 384), true), ("", false),
    (String(repeating: "é", count: 385), false), ("a.b", false), ("a#", false), ("$a", false),
    ("[a", false), ("a]", false), ("a/b", false), ("a\n", false), ("\u{7F}", false),
  ])
  func `keys are 1 to 768 bytes without some characters`(text: String, isKey: Bool) {
    #expect(RealtimeDatabaseClient.isKey(text) == isKey)
  }
}
