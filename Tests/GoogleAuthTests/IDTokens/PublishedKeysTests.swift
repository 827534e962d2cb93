import Core
import GoogleAuth
import TestKit
import Testing

/// The requests for published keys, their cache, and their failures.
@Suite(.timeLimit(.minutes(10)), .enabled(if: OpenSSL.isInstalled))
struct PublishedKeysTests {
  /// Returns a token that doesn't expire during the tests.
  private func token(_ key: SigningKey) throws -> String {
    try TokenDraft.idToken(keyID: key.id).with("exp", .integer(.max)).signed(by: key.key)
  }

  private func withServer(
    maximumAge: Int = 20_000,
    _ body: (KeyServer, SigningKey) async throws -> Void
  ) async throws {
    let key = try await SigningKey.first
    let server = try KeyServer([key], maximumAge: maximumAge)
    defer { server.stop() }
    try await body(server, key)
  }

  private static let unknownKey =
    unauthenticated("the ID token is signed with a key that isn't published")

  // MARK: Cache

  @Test(arguments: [600, 20_000, 86_400])
  func `keys are requested once in the time that the server allows`(maximumAge: Int) async throws {
    try await withServer(maximumAge: maximumAge) { server, key in
      let (verifier, token) = (try server.verifier(), try token(key))
      #expect(await verifier.refusal(of: token) == nil)
      let margin = Int64(min(300, maximumAge / 4))
      server.clock.advance(by: Int64(maximumAge) - margin - 1)
      #expect(await verifier.refusal(of: token) == nil)
      #expect(server.requestCount == 1)
    }
  }

  @Test(
    arguments: [
      (["Cache-Control: max-age=100000000"], 86_400), (["Cache-Control: max-age=0"], 60),
      (["Cache-Control: max-age=-5"], 60), (["Cache-Control: max-age=x"], 60), ([], 60),
      (["Cache-Control: no-store, max-age=9000"], 60),
      (["Cache-Control: max-age=9000, no-cache"], 60),
      (["cache-control: PUBLIC , Max-Age=9000"], 9_000),
      (["Cache-Control: max-age=\"9000\""], 9_000),
      (["Cache-Control: max-age=99999999999999999999999999"], 86_400),
      (["Cache-Control: max-age=9000", "Age: 8000"], 1_000),
      (["Cache-Control: max-age=9000", "Age: 10000"], 60),
      (["Cache-Control: max-age=9000", "Age: x"], 9_000), (["Cache-Control: s-maxage=9000"], 60),
      (["Expires: Thu, 01 Dec 2039 16:00:00 GMT"], 60),
    ] as [([String], Int64)]
  )
  func `keys are cached for a minute at least and a day at most, in any notation`(
    headers: [String],
    seconds: Int64
  ) async throws {
    try await withServer { server, key in
      server.say(ScriptedAnswer(200, headers: headers, [key].certificates))
      let (verifier, token) = (try server.verifier(), try token(key))
      #expect(await verifier.refusal(of: token) == nil)
      // The server publishes only the second key now. The cached key is accepted until it expires.
      server.publish([try await SigningKey.second])
      let margin = min(300, seconds / 4)
      server.clock.advance(by: seconds - margin - 1)
      #expect(await verifier.refusal(of: token) == nil)
      #expect(server.requestCount == 1)
      server.clock.advance(by: margin + 1)
      #expect(await verifier.refusal(of: token) == Self.unknownKey)
      #expect(server.requestCount == 2)
    }
  }

  @Test func `keys are renewed before they expire, and no call waits for that`() async throws {
    try await withServer(maximumAge: 1_000) { server, key in
      let (verifier, token) = (try server.verifier(), try token(key))
      #expect(await verifier.refusal(of: token) == nil)
      await server.server.wait(for: .requested)
      server.hold()
      server.clock.advance(by: 750)
      for _ in 0..<10 { #expect(await verifier.refusal(of: token) == nil) }
      await server.server.wait(for: .requested)
      #expect(server.requestCount == 2)
      server.release()
      // The first response has expired now, but the second one hasn't.
      server.clock.advance(by: 500)
      #expect(await verifier.refusal(of: token) == nil)
      #expect(server.requestCount == 2)
    }
  }

  @Test func `concurrent calls share one request`() async throws {
    try await withServer { server, key in
      let (verifier, token) = (try server.verifier(), try token(key))
      server.hold()
      let callers = (0..<100).map { _ in Task { await verifier.refusal(of: token) } }
      await server.server.wait(for: .requested)
      for _ in 0..<1_000 { await Task.yield() }
      server.release()
      for caller in callers { #expect(await caller.value == nil) }
      #expect(server.requestCount == 1)
    }
  }

  // MARK: Rotation

  @Test func `a newly published key is found`() async throws {
    try await withServer { server, key in
      let (verifier, second) = (try server.verifier(), try await SigningKey.second)
      #expect(try await verifier.refusal(of: token(key)) == nil)
      server.publish([key, second])
      server.clock.advance(by: 30)
      #expect(try await verifier.refusal(of: token(second)) == nil)
      #expect(try await verifier.refusal(of: token(key)) == nil)
      #expect(server.requestCount == 2)
    }
  }

  @Test func `a withdrawn key is invalid from the next answer on`() async throws {
    try await withServer { server, key in
      let (verifier, second) = (try server.verifier(), try await SigningKey.second)
      #expect(try await verifier.refusal(of: token(key)) == nil)
      server.publish([second])
      server.clock.advance(by: 30)
      #expect(try await verifier.refusal(of: token(second)) == nil)
      #expect(try await verifier.refusal(of: token(key)) == Self.unknownKey)
    }
  }

  @Test func `a key's name may be reused for another key`() async throws {
    try await withServer { server, key in
      let (verifier, second) = (try server.verifier(), try await SigningKey.second.named("first"))
      #expect(try await verifier.refusal(of: token(key)) == nil)
      server.publish([second])
      server.clock.advance(by: 20_000)
      #expect(try await verifier.refusal(of: token(second)) == nil)
      let refusal = unauthenticated("the ID token has an invalid signature")
      #expect(try await verifier.refusal(of: token(key)) == refusal)
    }
  }

  @Test func `invented key names cost one request in half a minute`() async throws {
    try await withServer { server, key in
      let verifier = try server.verifier()
      #expect(try await verifier.refusal(of: token(key)) == nil)
      for round in 0..<3 {
        for name in 0..<20 {
          let forged = try token(key.named("\(round)-\(name)"))
          #expect(await verifier.refusal(of: forged) == Self.unknownKey)
        }
        #expect(server.requestCount == 1 + round)
        server.clock.advance(by: 30)
      }
    }
  }

  // MARK: Failures

  struct Failure: Sendable, CustomTestStringConvertible {
    var answer: ScriptedAnswer?
    /// A part of the expected error message.
    var reason: String
    var testDescription: String { "\(answer?.status ?? 0) \(answer?.body.prefix(40) ?? "silence")" }
  }

  static let failures: [Failure] = [
    .init(answer: .init(500), reason: "answered 500"),
    .init(answer: .init(503), reason: "answered 503"),
    .init(answer: .init(429), reason: "answered 429"),
    .init(answer: .init(404, "not found"), reason: "answered 404"),
    .init(answer: .init(302, headers: ["Location: http://127.0.0.1:1/"]), reason: "answered 302"),
    .init(answer: .init(204), reason: "answered 204"),
    .init(answer: .init(200), reason: "returned invalid keys: not valid JSON"),
    .init(answer: .init(200, "<html>"), reason: "returned invalid keys: not valid JSON"),
    .init(
      answer: .init(200, #"{"a":"x","a":"y"}"#),
      reason: "returned invalid keys: not valid JSON"
    ),
    .init(answer: .init(200, "{}"), reason: "returned invalid keys: there is no key"),
    .init(answer: .init(200, "[]"), reason: "returned invalid keys: there is no key"),
    .init(
      answer: .init(200, #"{"first":7}"#),
      reason: "returned invalid keys: a certificate is not a string"
    ),
    .init(
      answer: .init(200, #"{"first":"-----BEGIN CERTIFICATE-----\nAAAA"}"#),
      reason: "returned invalid keys: the certificate is not X.509 in PEM format"
    ),
    .init(
      answer: .init(200, "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"),
      reason: "answered with more than 65536 bytes"
    ),
    .init(answer: nil, reason: "no complete response before the deadline"),
  ]

  @Test(arguments: failures)
  func `a call without available keys is not refused, but may be retried`(failure: Failure)
    async throws
  {
    try await withServer { server, key in
      server.say(failure.answer)
      // A real response arrives within the longer limit, even on a busy machine.
      let verifier = try server.verifier(
        timeout: failure.answer == nil ? .seconds(2) : .seconds(300)
      )
      let error = await verifier.refusal(of: try token(key))
      #expect(error?.code == .unavailable)
      #expect(error?.code.isRetryable == true)
      #expect(error?.retryAfter == .seconds(5))
      let words = "the keys of Firebase Authentication can't be fetched: "
      #expect(error?.message.hasPrefix(words) == true)
      #expect(error?.message.contains(failure.reason) == true, "\(error?.message ?? "")")
      // For five seconds, the verifier returns the same error without a request. Then it requests
      // the keys again.
      let count = server.requestCount
      #expect(try await verifier.refusal(of: token(key)) == error)
      #expect(server.requestCount == count)
      server.publish([key])
      server.clock.advance(by: 5)
      try await Self.waitForKeys(verifier, server) { try token(key) }
    }
  }

  /// Waits until a token is accepted.
  ///
  /// The verifier has a short time limit, because some tests use a silent server. On a busy machine
  /// even a real response may exceed it. Then the verifier makes no request for five seconds.
  private static func waitForKeys(
    _ verifier: CallerVerifier,
    _ server: KeyServer,
    _ token: () throws -> String
  ) async throws {
    while let refusal = try await verifier.refusal(of: token()) {
      try #require(refusal.message.contains("no complete response before the deadline"))
      server.clock.advance(by: 5)
    }
  }

  @Test(arguments: failures)
  func `expired keys are used for another hour if they can't be renewed`(failure: Failure)
    async throws
  {
    try await withServer { server, key in
      let verifier = try server.verifier(
        timeout: failure.answer == nil ? .seconds(2) : .seconds(300)
      )
      try await Self.waitForKeys(verifier, server) { try token(key) }
      server.say(failure.answer)
      server.clock.advance(by: 20_000)
      #expect(try await verifier.refusal(of: token(key)) == nil)
      // The verifier can't know whether this key has been published since.
      let other = try token(key.named("other"))
      #expect(await verifier.refusal(of: other)?.code == .unavailable)
      server.clock.advance(by: 3_599)
      #expect(try await verifier.refusal(of: token(key)) == nil)
      server.clock.advance(by: 1)
      #expect(try await verifier.refusal(of: token(key))?.code == .unavailable)
    }
  }

  @Test func `an unreachable server is named`() async throws {
    let key = try await SigningKey.first
    let server = try KeyServer([key])
    let verifier = try server.verifier()
    server.stop()
    for await _ in server.server.events {}
    let url = server.server.url("/certificates")
    let error = await verifier.refusal(of: try token(key))
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("GET \(url): ") == true)
  }

  @Test func `a temporary failure is retried at once`() async throws {
    let key = try await SigningKey.first
    let server = try KeyServer([key])
    defer { server.stop() }
    server.sayOnce(ScriptedAnswer(503))
    let verifier = try server.verifier()
    #expect(try await verifier.refusal(of: token(key)) == nil)
    #expect(server.requestCount == 2)
  }
}
