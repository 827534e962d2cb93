import Core
import GoogleAuth
import HTTPClient
import Providers
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PushClientTests {
  private struct Tokens: AccessTokenSource {
    var error: StatusError?

    func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
      if let error { throw error }
      return AccessToken("PLANTED-bearer", expiry: .generous)
    }
  }

  private let message = PushMessage(
    token: "PLANTED-token",
    title: "Sarah",
    body: "PLANTED text",
    data: ["conversationId": "c1", "messageId": "m1", "type": "newMessage"],
    badge: 3,
    thread: "c1",
    collapseID: "m1"
  )

  private func client(_ baseURL: String, tokens: any AccessTokenSource = Tokens()) -> PushClient {
    PushClient(
      baseURL: baseURL,
      project: "pro:ject/1",
      tokens: tokens,
      session: ProviderSession(transport: .forTests(), deadline: .generous, traceparent: "trace")
    )
  }

  @Test func `a push has FCM's format, with sounds in the platforms' parts`() async throws {
    let server = try LoopbackServer(answers: [.init(200, #"{"name":"projects/p/messages/1"}"#)])
    defer { server.stop() }
    #expect(try await client(server.url("/")).send(message) == .sent)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/v1/projects/pro%3Aject%2F1/messages:send")
    #expect(request.headers["authorization"] == "Bearer PLANTED-bearer")
    #expect(request.headers["traceparent"] == "trace")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"message":{"android":{"collapse_key":"c1","notification":{"channel_id":"messages","#
        + #""notification_count":3,"sound":"default","tag":"m1"},"#
        + #""priority":"high"},"apns":{"headers":{"apns-collapse-id":"m1","apns-priority":"10","#
        + #""apns-push-type":"alert"},"payload":{"aps":{"badge":3,"category":"MESSAGE","#
        + #""mutable-content":1,"sound":"default","thread-id":"c1"}}},"data":{"conversationId":"c1","messageId":"m1","type":"newMessage"},"#
        + #""notification":{"body":"PLANTED text","title":"Sarah"},"token":"PLANTED-token"}}"#
    )
  }

  static func fcm(
    _ status: Int,
    _ code: String?,
    fields: [String] = [],
    headers: [String] = []
  ) -> ScriptedAnswer {
    let fcmError = code.map {
      #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"#
    }
    let violations = fields.map { #"{"field":"\#($0)","description":"PLANTED"}"# }
    let badRequest =
      fields.isEmpty
      ? nil
      : #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[\#(violations.joined(separator: ","))]}"#
    let details = [badRequest, fcmError].compactMap(\.self).joined(separator: ",")
    return ScriptedAnswer(
      status,
      headers: headers,
      #"{"error":{"code":\#(status),"message":"PLANTED","status":"X","details":[\#(details)]}}"#
    )
  }

  /// FCM's response to a malformed token. It doesn't name a field.
  static let invalidToken = ScriptedAnswer(
    400,
    #"{"error":{"code":400,"message":"The registration token is not a valid FCM registration token","#
      + #""status":"INVALID_ARGUMENT","details":["#
      + #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"INVALID_ARGUMENT"}]}}"#
  )

  @Test(
    arguments: [
      (fcm(404, "UNREGISTERED"), .unregistered), (fcm(403, "SENDER_ID_MISMATCH"), .senderMismatch),
      (fcm(400, "INVALID_ARGUMENT", fields: ["message.token"]), .invalid),
      (fcm(400, nil, fields: ["message.token"]), .invalid), (invalidToken, .invalid),
    ] as [(ScriptedAnswer, PushClient.DeadToken)]
  )
  func `a token that FCM rejects is reported as dead`(
    answer: ScriptedAnswer,
    reason: PushClient.DeadToken
  ) async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    #expect(try await client(server.url("")).send(message) == .dead(reason))
  }

  private static func quota(_ seconds: Int) -> StatusError {
    StatusError(.resourceExhausted, "FCM is over its quota", retryAfter: .seconds(seconds))
  }
  private static let refused = StatusError.configuration(
    .permissionDenied,
    "FCM refused the function's credentials: check its service account and the FCM role"
  )

  private static let noKeyForApple = StatusError.configuration(
    .permissionDenied,
    "FCM can't deliver to Apple or the web: the Firebase project's key for them is missing or was refused"
  )

  static let failures: [ProviderFailure] = [
    ProviderFailure(
      fcm(400, "INVALID_ARGUMENT", fields: ["message.notification"]),
      StatusError(.internal, #"FCM refused the message: "message.notification""#)
    ),
    ProviderFailure(
      fcm(400, "INVALID_ARGUMENT", fields: ["message.token", "message.data[0].value"]),
      StatusError(
        .internal,
        #"FCM refused the message: "message.token", "message.data[0].value""#
      )
    ),
    ProviderFailure(
      fcm(400, "INVALID_ARGUMENT"),
      StatusError(.internal, "FCM refused the message")
    ),
    ProviderFailure(
      ScriptedAnswer(400, "<html>"),
      StatusError(.internal, "FCM refused the message")
    ),
    ProviderFailure(fcm(429, "QUOTA_EXCEEDED"), quota(60)),
    ProviderFailure(fcm(429, "QUOTA_EXCEEDED", headers: ["Retry-After: 7"]), quota(7)),
    ProviderFailure(ScriptedAnswer(429), quota(60)),
    ProviderFailure(
      fcm(503, "UNAVAILABLE", headers: ["Retry-After: 9"]),
      StatusError(.unavailable, "FCM answered 503", retryAfter: .seconds(9))
    ),
    ProviderFailure(fcm(503, "UNAVAILABLE"), StatusError(.unavailable, "FCM answered 503")),
    ProviderFailure(fcm(500, "INTERNAL"), StatusError(.unavailable, "FCM answered 500")),
    ProviderFailure(ScriptedAnswer(502, "<html>"), StatusError(.unavailable, "FCM answered 502")),
    ProviderFailure(
      ScriptedAnswer(200, "<html>"),
      StatusError(.unavailable, "FCM returned an invalid response")
    ),
    ProviderFailure(
      ScriptedAnswer(200),
      StatusError(.unavailable, "FCM returned an invalid response")
    ),
    ProviderFailure(fcm(401, "THIRD_PARTY_AUTH_ERROR"), noKeyForApple),
    ProviderFailure(fcm(401, "APNS_AUTH_ERROR"), noKeyForApple),
    ProviderFailure(fcm(401, nil), refused),
    ProviderFailure(fcm(403, nil), refused),
    ProviderFailure(
      fcm(404, nil),
      .configuration(.notFound, "FCM does not know the project: check GOOGLE_CLOUD_PROJECT")
    ),
    ProviderFailure(
      ScriptedAnswer(307, headers: ["Location: http://localhost/PLANTED"]),
      .configuration(
        .failedPrecondition,
        "FCM_BASE_URL: FCM answered 307: set the final URL, since redirects aren't followed"
      )
    ),
  ]

  @Test(arguments: failures)
  func `a failed push isn't repeated, and its error hides FCM's message`(
    failure: ProviderFailure
  ) async throws {
    let server = try LoopbackServer(answers: [failure.answer])
    defer { server.stop() }
    let client = client(server.url(""))
    let error = await #expect(throws: failure.error) { try await client.send(message) }
    #expect(error.map { "\($0)".contains("PLANTED") } == false)
    #expect(server.requests.count == 1)
  }

  @Test func `without an access token nothing is sent`() async throws {
    let server = try LoopbackServer(answers: [.init(200, #"{"name":"m"}"#)])
    defer { server.stop() }
    let failure = StatusError.configuration(.unauthenticated, "no token")
    let client = client(server.url(""), tokens: Tokens(error: failure))
    await #expect(throws: failure) { try await client.send(message) }
    #expect(server.connectionCount == 0)
  }

  @Test func `an access token that FCM refuses is renewed once`() async throws {
    let server = try LoopbackServer(answers: [
      Self.fcm(401, nil), .init(200, #"{"name":"projects/p/messages/1"}"#), Self.fcm(401, nil),
    ])
    defer { server.stop() }
    let client = client(server.url(""), tokens: RenewedTokens())
    #expect(try await client.send(message) == .sent)
    await #expect(throws: Self.refused) { try await client.send(message) }
    #expect(
      server.requests.map { $0.headers["authorization"] }
        == ["Bearer t1", "Bearer t2", "Bearer t2", "Bearer t3"]
    )
  }

  @Test func `an access token isn't renewed if Apple refuses Firebase's key`() async throws {
    let server = try LoopbackServer(answers: [Self.fcm(401, "THIRD_PARTY_AUTH_ERROR")])
    defer { server.stop() }
    let tokens = RenewedTokens()
    let client = client(server.url(""), tokens: tokens)
    await #expect(throws: Self.noKeyForApple) { try await client.send(message) }
    #expect(server.requests.count == 1)
    #expect(await tokens.discarded.isEmpty)
  }

  @Test func `consecutive pushes share a connection`() async throws {
    let server = try LoopbackServer(answers: [.init(200, #"{"name":"projects/p/messages/1"}"#)])
    defer { server.stop() }
    let transport = HTTPClient.forTests()
    for _ in 0..<50 {
      // Each invocation has a new session.
      let session = ProviderSession(transport: transport, deadline: .generous)
      let client = PushClient(
        baseURL: server.url(""),
        project: "p",
        tokens: Tokens(),
        session: session
      )
      #expect(try await client.send(message) == .sent)
    }
    #expect(server.connectionCount == 1)
    #expect(server.requests.count == 50)
  }

  @Test func `concurrent pushes reuse their connections`()
    async throws
  {
    let server = try LoopbackServer(answers: [.init(200, #"{"name":"projects/p/messages/1"}"#)])
    defer { server.stop() }
    let client = client(server.url(""))
    for _ in 0..<4 {
      let outcomes = try await withThrowingTaskGroup(of: PushClient.Outcome.self) { group in
        for _ in 0..<5 {
          group.addTask { try await client.send(message) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes == Array(repeating: .sent, count: 5))
    }
    #expect(server.requests.count == 20)
    #expect(server.connectionCount <= 5)
  }

  @Test func `a push has the analytics label, if there is one`() async throws {
    let server = try LoopbackServer(answers: [.init(200, #"{"name":"projects/p/messages/1"}"#)])
    defer { server.stop() }
    let client = PushClient(
      baseURL: server.url(""),
      project: "p",
      tokens: Tokens(),
      session: ProviderSession(transport: .forTests(), deadline: .generous),
      analyticsLabel: "chat-50%~a.b_c"
    )
    #expect(try await client.send(message) == .sent)
    let body = try json(String(decoding: try #require(server.requests.first).body, as: UTF8.self))
    #expect(body.at("message.fcm_options") == (try json(#"{"analytics_label":"chat-50%~a.b_c"}"#)))
  }

  @Test func `a push has the web app's page and an image, if there are any`() async throws {
    let server = try LoopbackServer(answers: [.init(200, #"{"name":"projects/p/messages/1"}"#)])
    defer { server.stop() }
    let client = PushClient(
      baseURL: server.url(""),
      project: "p",
      tokens: Tokens(),
      session: ProviderSession(transport: .forTests(), deadline: .generous),
      webAppURL: "https://chat.example/app/"
    )
    var message = message
    message.image = "https://x.example/i.jpg"
    message.page = "/conversations/c1?message=m1"
    #expect(try await client.send(message) == .sent)
    let body = try json(String(decoding: try #require(server.requests.first).body, as: UTF8.self))
    let link = "https://chat.example/app/conversations/c1?message=m1"
    #expect(
      body.at("message.webpush")
        == (try json(#"{"fcm_options":{"link":"\#(link)"},"notification":{"tag":"m1"}}"#))
    )
    #expect(body.at("message.notification.image") == .string("https://x.example/i.jpg"))
  }

  @Test(arguments: [
    ("a", true), (String(repeating: "a", count: 50), true), ("A-z_0.9~%", true), ("", false),
    (String(repeating: "a", count: 51), false), ("two words", false), ("é", false), ("a\n", false),
  ])
  func `analytics labels follow FCM's rules`(label: String, isOne: Bool) {
    #expect(PushClient.isAnalyticsLabel(label) == isOne)
  }
}
