import Core
import GoogleAuth
import HTTPClient
import Synchronization
import TestKit
import Testing

@testable import Providers

/// The limits that all calls of a process to one provider share, with real sockets.
@Suite(.timeLimit(.minutes(10)))
struct ProviderGatesTests {
  /// The calls of one process, with a clock that the test advances.
  private final class Calls: Sendable {
    private struct Message: Encodable { var text = "x" }

    private final class Clock: Sendable {
      let now = Mutex(ContinuousClock.now)
    }

    private let clock = Clock()
    private let gates: ProviderGates
    private let transport = HTTPClient.forTests()

    init(concurrency: Int = 4) {
      gates = ProviderGates(concurrency: concurrency) { [clock] in clock.now.withLock(\.self) }
    }

    func advance(by duration: Duration) { clock.now.withLock { $0 += duration } }

    func post(
      to url: String,
      _ address: String = "FCM_BASE_URL",
      deadline: ContinuousClock.Instant = .generous
    ) async -> Result<Int, StatusError> {
      let session = ProviderSession(transport: transport, deadline: deadline, gates: gates)
      do throws(StatusError) {
        let response = try await session.send(
          url,
          Message(),
          headers: [],
          address: address,
          key: "A_KEY",
          retry: HTTPRetryPolicy(maximumAttempts: 1)
        )
        return .success(response.status)
      } catch {
        return .failure(error)
      }
    }
  }

  private func failure(_ outcome: Result<Int, StatusError>) throws -> StatusError {
    try #require(throws: StatusError.self) { try outcome.get() }
  }

  private static let refusal = StatusError(
    .unavailable,
    "FCM keeps failing, so calls to it are paused",
    retryAfter: CircuitBreaker.pause
  )

  @Test(arguments: [500, 503, 529])
  func `a circuit breaker stops calls to a failing provider and probes it later`(
    status: Int
  ) async throws {
    let failures = [ScriptedAnswer](repeating: ScriptedAnswer(status), count: 6)
    let server = try LoopbackServer(answers: failures + [ScriptedAnswer(200)])
    defer { server.stop() }
    let calls = Calls()
    for _ in 1...5 { #expect(await calls.post(to: server.url()) == .success(status)) }
    for _ in 1...3 { #expect(await calls.post(to: server.url()) == .failure(Self.refusal)) }
    #expect(server.requests.count == 5)
    // Another provider has another circuit breaker.
    #expect(await calls.post(to: server.url(), "OPENAI_BASE_URL") == .success(status))
    calls.advance(by: CircuitBreaker.pause)
    #expect(await calls.post(to: server.url()) == .success(200))
    #expect(await calls.post(to: server.url()) == .success(200))
    #expect(server.requests.count == 8)
  }

  @Test(arguments: [400, 401, 403, 404, 429, 302])
  func `client errors don't open the circuit breaker`(status: Int) async throws {
    let server = try LoopbackServer(answers: [ScriptedAnswer(status)])
    defer { server.stop() }
    let calls = Calls()
    for _ in 1...12 { #expect(await calls.post(to: server.url()) == .success(status)) }
    #expect(server.requests.count == 12)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is returned as an answer and not followed`(status: Int) async throws {
    let elsewhere = try LoopbackServer(answers: [ScriptedAnswer(200)])
    let server = try LoopbackServer(
      answers: [ScriptedAnswer(status, headers: ["Location: \(elsewhere.url())"])]
    )
    defer {
      server.stop()
      elsewhere.stop()
    }
    #expect(await Calls().post(to: server.url()) == .success(status))
    #expect(server.requests.count == 1)
    #expect(elsewhere.connectionCount == 0)
  }

  @Test func `refused connections open the circuit breaker, and invalid addresses don't`()
    async throws
  {
    let socket = try LoopbackSocket.bound()
    defer { close(socket.descriptor) }
    let calls = Calls()
    for _ in 1...9 {
      let error = try failure(await calls.post(to: "http://192.0.2.1/"))
      #expect(error.fault == .configuration)
    }
    let url = "http://127.0.0.1:\(socket.port)/"
    for _ in 1...5 {
      let error = try failure(await calls.post(to: url))
      #expect(error != Self.refusal)
    }
    #expect(await calls.post(to: url) == .failure(Self.refusal))
  }

  @Test func `calls above the concurrency limit wait until their deadline`()
    async throws
  {
    let server = try LoopbackServer { _, connection in connection.stall() }
    let calls = Calls(concurrency: 2)
    let url = server.url()
    async let first = calls.post(to: url)
    async let second = calls.post(to: url)
    for _ in 1...2 { await server.wait(for: .requested) }
    let error = try failure(await calls.post(to: url, deadline: .now + .milliseconds(50)))
    #expect(error.code == .deadlineExceeded)
    #expect(error.message == "FCM: the deadline passed while too many other calls were running")
    let task = Task { await calls.post(to: url) }
    task.cancel()
    let cancelled = try failure(await task.value)
    #expect(cancelled.code == .cancelled)
    #expect(server.requests.count == 2)
    server.stop()
    for outcome in await [first, second] {
      let error = try failure(outcome)
      #expect(error.code == .unavailable)
    }
  }

  private final class Elapsed: Sendable {
    let time = Mutex(Duration.zero)
  }

  @Test func `a circuit breaker stops requests for access tokens, too`() async throws {
    let answer = #"{"access_token":"ya29.m","expires_in":3000}"#
    let failures = [ScriptedAnswer](repeating: ScriptedAnswer(500), count: 15)
    let server = try LoopbackServer(answers: failures + [ScriptedAnswer(200, answer)])
    defer { server.stop() }
    let start = ContinuousClock.now
    let elapsed = Elapsed()
    let source = GatedAccessToken(
      MetadataServer(
        host: "127.0.0.1:\(server.port)",
        transport: .forTests(),
        timeout: .seconds(60)
      ),
      gates: ProviderGates(concurrency: 4) { start + elapsed.time.withLock(\.self) }
    )
    for _ in 1...5 {
      await #expect(throws: StatusError(.unavailable, "the metadata server answered 500")) {
        try await source.accessToken(deadline: .generous)
      }
    }
    let refusal = StatusError(
      .unavailable,
      "the source of access tokens keeps failing, so calls to it are paused",
      retryAfter: CircuitBreaker.pause
    )
    await #expect(throws: refusal) { try await source.accessToken(deadline: .generous) }
    #expect(server.requests.count == 15, "each of the first five calls sends three requests")
    elapsed.time.withLock { $0 = CircuitBreaker.pause }
    #expect(try await source.accessToken(deadline: .generous).authorization == "Bearer ya29.m")
  }
}
