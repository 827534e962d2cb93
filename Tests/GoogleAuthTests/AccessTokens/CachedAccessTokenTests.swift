import Core
import GoogleAuth
import HTTPClient
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CachedAccessTokenTests {
  private func authorizations(_ source: NumberedTokens, count: Int) async throws -> [String] {
    let cache = CachedAccessToken(source)
    var tokens: [String] = []
    for _ in 0..<count { tokens.append(try await cache.accessToken(deadline: .now).authorization) }
    return tokens
  }

  private static var generous: ContinuousClock.Instant { .generous }

  @Test func `a token is requested once`() async throws {
    let source = NumberedTokens([.seconds(3_600)])
    #expect(try await authorizations(source, count: 3) == ["Bearer t1", "Bearer t1", "Bearer t1"])
    #expect(source.callCount == 1)
  }

  @Test func `a token with five minutes to live is renewed before it expires`() async throws {
    let source = NumberedTokens([.seconds(299), .seconds(3_600)])
    #expect(try await authorizations(source, count: 3) == ["Bearer t1", "Bearer t2", "Bearer t2"])
    #expect(source.callCount == 2)
  }

  @Test func `a token that can't be renewed is used to its end`() async throws {
    let source = NumberedTokens([.seconds(299), nil, .seconds(3_600)])
    #expect(try await authorizations(source, count: 3) == ["Bearer t1", "Bearer t1", "Bearer t3"])
  }

  @Test func `a failure is not cached`() async throws {
    let source = NumberedTokens([nil, .seconds(3_600)])
    let cache = CachedAccessToken(source)
    await #expect(throws: StatusError(.unavailable, "as asked")) {
      try await cache.accessToken(deadline: .now)
    }
    #expect(try await cache.accessToken(deadline: .now).authorization == "Bearer t2")
  }

  @Test func `concurrent callers share one request`() async throws {
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    let source = NumberedTokens([.seconds(3_600)], gate: gate, started: start)
    let cache = CachedAccessToken(source)
    let callers = (0..<20).map { _ in
      Task { try await cache.accessToken(deadline: Self.generous).authorization }
    }
    // The request has started. It may end only after all callers have had time to join it.
    for await _ in started { break }
    for _ in 0..<1_000 { await Task.yield() }
    opener.finish()
    for caller in callers { #expect(try await caller.value == "Bearer t1") }
    #expect(source.callCount == 1)
  }

  @Test func `a caller that joins a request waits only until its own deadline`() async throws {
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    let source = NumberedTokens([.seconds(3_600)], gate: gate, started: start)
    let cache = CachedAccessToken(source)
    let first = Task { try await cache.accessToken(deadline: Self.generous).authorization }
    for await _ in started { break }
    await #expect(throws: StatusError(.deadlineExceeded, "no access token before the deadline")) {
      try await cache.accessToken(deadline: .now + .milliseconds(1))
    }
    let cancelled = Task { try await cache.accessToken(deadline: Self.generous) }
    cancelled.cancel()
    await #expect(throws: StatusError.self) { try await cancelled.value }
    opener.finish()
    #expect(try await first.value == "Bearer t1")
    #expect(source.callCount == 1)
  }

  /// A source whose first request blocks until its caller's deadline.
  private actor SlowOnce: AccessTokenSource {
    private var calls = 0
    private let started: AsyncStream<Void>.Continuation

    init(started: AsyncStream<Void>.Continuation) { self.started = started }

    func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
      calls += 1
      guard calls == 1 else { return AccessToken("t\(calls)", expiry: .now + .seconds(3_600)) }
      started.finish()
      try? await Task.sleep(until: deadline, clock: .continuous)
      throw StatusError(.deadlineExceeded, "too late")
    }
  }

  @Test func `a caller with a later deadline requests again after the first one's`() async throws {
    let (started, start) = AsyncStream<Void>.makeStream()
    let cache = CachedAccessToken(SlowOnce(started: start))
    let first = Task { try await cache.accessToken(deadline: .now + .milliseconds(100)) }
    for await _ in started {}
    #expect(try await cache.accessToken(deadline: Self.generous).authorization == "Bearer t2")
    // Depending on the timing, the second caller waited for the first request or came after it.
    _ = await first.result
  }

  @Test func `a token can't be printed`() {
    let token = AccessToken("ya29.secret", expiry: .now)
    var dumped = ""
    dump([token], to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(!text.contains("secret"))
    }
  }

  @Test func `a token that an API refused is renewed once for all its users`()
    async throws
  {
    let source = NumberedTokens([.seconds(3_600)])
    let cache = CachedAccessToken(source)
    let refused = try await cache.accessToken(deadline: .now)
    for _ in 0..<3 {
      await cache.discard(refused)
      #expect(try await cache.accessToken(deadline: .now).authorization == "Bearer t2")
    }
    #expect(source.callCount == 2)
  }

  /// Sends a request with tokens of the source.
  ///
  /// - Parameter status: returns the response's status for a token.
  private func sent(
    _ source: any AccessTokenSource,
    _ status: @escaping @Sendable (String) -> Int
  ) async throws -> (status: Int, tokens: [String]) {
    let tokens = Mutex<[String]>([])
    let response = try await source.authorized(deadline: .now) { token throws(StatusError) in
      tokens.withLock { $0.append(token.authorization) }
      return HTTPResponse(status: status(token.authorization))
    }
    return (response.status, tokens.withLock(\.self))
  }

  @Test func `a request whose token was refused is sent once more with a new one`() async throws {
    let revoked = CachedAccessToken(NumberedTokens([.seconds(3_600)]))
    let renewed = try await sent(revoked) { $0 == "Bearer t1" ? 401 : 200 }
    #expect(renewed == (200, ["Bearer t1", "Bearer t2"]))
    let good = try await sent(revoked) { $0 == "Bearer t2" ? 200 : 401 }
    #expect(good == (200, ["Bearer t2"]))
    let hopeless = try await sent(revoked) { _ in 401 }
    #expect(hopeless == (401, ["Bearer t2", "Bearer t3"]))
    let forbidden = try await sent(revoked) { _ in 403 }
    #expect(forbidden == (403, ["Bearer t3"]))
  }

  @Test func `a request isn't repeated with the same token`() async throws {
    struct Fixed: AccessTokenSource {
      func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
        AccessToken("fixed", expiry: .now + .seconds(3_600))
      }
    }
    let refused = try await sent(CachedAccessToken(Fixed())) { _ in 401 }
    #expect(refused == (401, ["Bearer fixed"]))
  }
}
