import Core
import GoogleAuth
import HTTPClient
import Providers
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AccountClientTests {
  private struct Tokens: AccessTokenSource {
    func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
      AccessToken("PLANTED-bearer", expiry: .generous)
    }
  }

  private func client(
    _ server: LoopbackServer,
    tokens: any AccessTokenSource = Tokens(),
    deadline: ContinuousClock.Instant = .generous
  ) -> AccountClient {
    AccountClient(
      .google(tokens),
      baseURL: server.url(""),
      project: "pro:ject/1",
      session: ProviderSession(transport: .forTests(), deadline: deadline, traceparent: "trace")
    )
  }

  private static let deleted = ScriptedAnswer(
    200,
    #"{"kind":"identitytoolkit#DeleteAccountResponse"}"#
  )

  /// Returns an error of the Identity Toolkit API.
  private static func google(
    _ status: Int,
    _ message: String,
    headers: [String] = [],
    details: String = "[]"
  ) -> ScriptedAnswer {
    ScriptedAnswer(
      status,
      headers: headers,
      #"{"error":{"code":\#(status),"message":"\#(message)","errors":[{"message":"\#(message)","#
        + #""domain":"global","reason":"invalid"}],"details":\#(details)}}"#
    )
  }

  private static func info(_ reason: String) -> String {
    #"[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)"}]"#
  }

  // MARK: Requests

  @Test func `a deletion is Google's request of an administrator`() async throws {
    let server = try LoopbackServer(answers: [Self.deleted])
    defer { server.stop() }
    #expect(try await client(server).delete("marco") == .deleted)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/projects/pro%3Aject%2F1/accounts:delete")
    #expect(request.headers["authorization"] == "Bearer PLANTED-bearer")
    #expect(request.headers["traceparent"] == "trace")
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"localId":"marco"}"#)
  }

  @Test func `an emulator gets the same request below the API's host, from its owner`()
    async throws
  {
    let server = try LoopbackServer(answers: [Self.deleted])
    defer { server.stop() }
    let client = AccountClient(
      .emulator(host: "127.0.0.1:\(server.port)"),
      project: "demo-p",
      session: ProviderSession(transport: .forTests(), deadline: .generous)
    )
    #expect(try await client.delete("marco") == .deleted)
    let request = try #require(server.requests.first)
    #expect(
      request.target == "/identitytoolkit.googleapis.com/v1/projects/demo-p/accounts:delete"
    )
    #expect(request.headers["authorization"] == "Bearer owner")
  }

  @Test func `no account has an ID of more than 128 characters`() async throws {
    let server = try LoopbackServer(answers: [Self.deleted])
    defer { server.stop() }
    let client = client(server)
    #expect(try await client.delete(String(repeating: "é", count: 129)) == .absent)
    #expect(server.requests.isEmpty)
    #expect(try await client.delete(String(repeating: "é", count: 128)) == .deleted)
  }

  @Test func `an access token that Google refuses is renewed once`() async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(401), Self.deleted])
    defer { server.stop() }
    #expect(try await client(server, tokens: RenewedTokens()).delete("marco") == .deleted)
    #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer t1", "Bearer t2"])
  }

  // MARK: Outcomes

  @Test(
    arguments: [
      (google(400, "USER_NOT_FOUND"), .absent),
      (google(400, "USER_NOT_FOUND : No such user."), .absent),
      (google(400, "CONFIGURATION_NOT_FOUND"), .noAuthentication),
      (google(400, "PROJECT_NOT_FOUND : Another project."), .noAuthentication),
      (google(403, "PLANTED", details: info("SERVICE_DISABLED")), .noAuthentication),
      (
        ScriptedAnswer(403, #"{"error":{"errors":[{"reason":"accessNotConfigured"}]}}"#),
        .noAuthentication
      ),
    ] as [(ScriptedAnswer, AccountDeletion)]
  )
  func `a missing account or service isn't an error`(
    answer: ScriptedAnswer,
    deletion: AccountDeletion
  ) async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    #expect(try await client(server).delete("marco") == deletion)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    google(503, "UNAVAILABLE"), google(500, "INTERNAL"), google(429, "RESOURCE_EXHAUSTED"),
    ScriptedAnswer(502, "<html>"),
  ])
  func `a temporary error is retried at once, and its error asks for a later retry`(
    answer: ScriptedAnswer
  ) async throws {
    let healing = try LoopbackServer(answers: [answer, answer, Self.deleted])
    defer { healing.stop() }
    #expect(try await client(healing).delete("marco") == .deleted)

    let failing = try LoopbackServer(answers: [answer])
    defer { failing.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await client(failing).delete("marco")
    }
    #expect(error?.code == (answer.status == 429 ? .resourceExhausted : .unavailable))
    #expect(error?.fault == .request)
    #expect(failing.requests.count == 3)
  }

  @Test func `after a lost response the account may be absent already`() async throws {
    let isFirst = Atomic(true)
    let server = try LoopbackServer { _, connection in
      if isFirst.exchange(false, ordering: .relaxed) { return false }
      return connection.answer(
        status: 400,
        headers: [],
        body: Data(#"{"error":{"message":"USER_NOT_FOUND"}}"#.utf8)
      )
    }
    defer { server.stop() }
    #expect(try await client(server).delete("marco") == .absent)
    #expect(server.requests.count == 2)
  }

  private static let refused = StatusError.configuration(
    .permissionDenied,
    "Firebase Authentication refused the function's credentials: its service account needs the "
      + "role worldchatAccountDeleter, or another one with firebaseauth.users.delete"
  )

  private static func quota(_ delay: Duration?) -> StatusError {
    StatusError(
      .resourceExhausted,
      "Firebase Authentication is over its quota",
      retryAfter: delay
    )
  }

  static let failures: [ProviderFailure] = [
    ProviderFailure(google(403, "PLANTED"), refused),
    ProviderFailure(google(401, "PLANTED"), refused),
    ProviderFailure(google(400, "INSUFFICIENT_PERMISSION"), refused),
    ProviderFailure(google(400, "QUOTA_EXCEEDED : PLANTED"), quota(nil)),
    ProviderFailure(google(400, "TOO_MANY_ATTEMPTS_TRY_LATER"), quota(nil)),
    ProviderFailure(google(403, "PLANTED", details: info("RATE_LIMIT_EXCEEDED")), quota(nil)),
    ProviderFailure(google(429, "PLANTED", headers: ["Retry-After: 90"]), quota(.seconds(90))),
    ProviderFailure(
      google(503, "PLANTED", headers: ["Retry-After: 90"]),
      StatusError(
        .unavailable,
        "Firebase Authentication answered 503",
        retryAfter: .seconds(90)
      )
    ),
    ProviderFailure(
      google(400, "INVALID_LOCAL_ID : PLANTED"),
      StatusError(.internal, "Firebase Authentication answered 400")
    ),
    ProviderFailure(
      ScriptedAnswer(404, "<html>PLANTED"),
      StatusError(.internal, "Firebase Authentication answered 404")
    ),
    ProviderFailure(
      ScriptedAnswer(200, "<html>PLANTED"),
      StatusError(.unavailable, "Firebase Authentication returned an invalid response")
    ),
    ProviderFailure(
      ScriptedAnswer(307, headers: ["Location: http://localhost/PLANTED"]),
      .configuration(
        .failedPrecondition,
        "FIREBASE_AUTH_EMULATOR_HOST: Firebase Authentication answered 307: set the final URL, "
          + "since redirects aren't followed"
      )
    ),
  ]

  @Test(arguments: failures)
  func `the error of a failed deletion says what to do, and hides Google's message`(
    failure: ProviderFailure
  ) async throws {
    let server = try LoopbackServer(answers: [failure.answer])
    defer { server.stop() }
    let error = await #expect(throws: failure.error) {
      try await client(server, tokens: Tokens()).delete("marco")
    }
    #expect(error.map { "\($0)".contains("PLANTED") } == false)
  }

  @Test func `a server that doesn't answer ends the deletion at its deadline`() async throws {
    let server = try SilentListener()
    let client = AccountClient(
      .emulator(host: "127.0.0.1:\(server.port)"),
      project: "demo-p",
      session: ProviderSession(transport: .forTests(), deadline: .now + .milliseconds(200))
    )
    let error = await #expect(throws: StatusError.self) { try await client.delete("marco") }
    #expect(error?.code == .deadlineExceeded)
  }
}
