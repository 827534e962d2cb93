import GoogleAuth
import HTTPTransport
import Platform
import Providers
import RPCStatus
import TestKit
import Testing

@Suite(.timeLimit(.minutes(4)))
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

  @Test func `a push has FCM's own form, its sounds with the platforms`() async throws {
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
        == #"{"message":{"android":{"notification":{"notification_count":3,"sound":"default","tag":"m1"},"#
        + #""priority":"high"},"apns":{"headers":{"apns-collapse-id":"m1","apns-priority":"10","#
        + #""apns-push-type":"alert"},"payload":{"aps":{"badge":3,"mutable-content":1,"sound":"default","#
        + #""thread-id":"c1"}}},"data":{"conversationId":"c1","messageId":"m1","type":"newMessage"},"#
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

  @Test(arguments: [
    fcm(404, "UNREGISTERED"), fcm(403, "SENDER_ID_MISMATCH"),
    fcm(400, "INVALID_ARGUMENT", fields: ["message.token"]),
    fcm(400, nil, fields: ["message.token"]),
  ])
  func `a token FCM doesn't know is to be forgotten`(answer: ScriptedAnswer) async throws {
    let server = try LoopbackServer(answers: [answer])
    defer { server.stop() }
    #expect(try await client(server.url("")).send(message) == .unregistered)
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var answer: ScriptedAnswer
    var error: StatusError
    var testDescription: String { "\(answer.status) \(answer.body)" }

    init(_ answer: ScriptedAnswer, _ error: StatusError) {
      self.answer = answer
      self.error = error
    }
  }

  private static func quota(_ seconds: Int) -> StatusError {
    StatusError(.resourceExhausted, "FCM is over its quota", retryAfter: .seconds(seconds))
  }
  private static let refused = StatusError.configuration(
    .permissionDenied,
    "FCM refused our credentials"
  )

  static let failures: [Failure] = [
    Failure(
      fcm(400, "INVALID_ARGUMENT", fields: ["message.notification"]),
      StatusError(.invalidArgument, "FCM refused the message: message.notification")
    ),
    Failure(
      fcm(400, "INVALID_ARGUMENT", fields: ["message.token", "message.data[0].value"]),
      StatusError(
        .invalidArgument,
        "FCM refused the message: message.token, message.data[0].value"
      )
    ),
    Failure(
      fcm(400, "INVALID_ARGUMENT"),
      StatusError(.invalidArgument, "FCM refused the message")
    ),
    Failure(
      ScriptedAnswer(400, "<html>"),
      StatusError(.invalidArgument, "FCM refused the message")
    ),
    Failure(fcm(429, "QUOTA_EXCEEDED"), quota(60)),
    Failure(fcm(429, "QUOTA_EXCEEDED", headers: ["Retry-After: 7"]), quota(7)),
    Failure(ScriptedAnswer(429), quota(60)),
    Failure(
      fcm(503, "UNAVAILABLE", headers: ["Retry-After: 9"]),
      StatusError(.unavailable, "FCM answered 503", retryAfter: .seconds(9))
    ),
    Failure(fcm(503, "UNAVAILABLE"), StatusError(.unavailable, "FCM answered 503")),
    Failure(fcm(500, "INTERNAL"), StatusError(.unavailable, "FCM answered 500")),
    Failure(ScriptedAnswer(502, "<html>"), StatusError(.unavailable, "FCM answered 502")),
    Failure(ScriptedAnswer(200, "<html>"), StatusError(.unavailable, "FCM answered with nonsense")),
    Failure(ScriptedAnswer(200), StatusError(.unavailable, "FCM answered with nonsense")),
    Failure(fcm(401, "THIRD_PARTY_AUTH_ERROR"), refused),
    Failure(fcm(401, nil), refused),
    Failure(fcm(403, nil), refused),
    Failure(
      fcm(404, nil),
      .configuration(.notFound, "FCM does not know the project")
    ),
  ]

  @Test(arguments: failures)
  func `every failure is sent once and tells whose fault it is and no more`(
    failure: Failure
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
}
