import GoogleAuth
import RPCStatus
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(4)))
struct CachedAccessTokenTests {
  /// Hands out numbered tokens, or fails as told.
  private final class Source: AccessTokenSource {
    private let lifetimes: [Duration?]
    private let calls = Mutex(0)
    /// Where a request waits until the test lets it go on.
    private let gate: AsyncStream<Void>?

    private let started: AsyncStream<Void>.Continuation?

    /// - Parameter lifetimes: of one token after the other; nil is a failure.
    init(
      _ lifetimes: [Duration?],
      gate: AsyncStream<Void>? = nil,
      started: AsyncStream<Void>.Continuation? = nil
    ) {
      self.lifetimes = lifetimes
      self.gate = gate
      self.started = started
    }

    var callCount: Int { calls.withLock { $0 } }

    func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
      let call = calls.withLock {
        $0 += 1
        return $0
      }
      started?.yield()
      if let gate { for await _ in gate { break } }
      guard let lifetime = lifetimes[min(call, lifetimes.count) - 1] else {
        throw StatusError(.unavailable, "as asked")
      }
      return AccessToken("t\(call)", expiry: .now + lifetime)
    }
  }

  private func authorizations(_ source: Source, count: Int) async throws -> [String] {
    let cache = CachedAccessToken(source)
    var tokens: [String] = []
    for _ in 0..<count { tokens.append(try await cache.accessToken(deadline: .now).authorization) }
    return tokens
  }

  @Test func `a token is asked for once`() async throws {
    let source = Source([.seconds(3_600)])
    #expect(try await authorizations(source, count: 3) == ["Bearer t1", "Bearer t1", "Bearer t1"])
    #expect(source.callCount == 1)
  }

  @Test func `a token with five minutes to live is renewed before it expires`() async throws {
    let source = Source([.seconds(299), .seconds(3_600)])
    #expect(try await authorizations(source, count: 3) == ["Bearer t1", "Bearer t2", "Bearer t2"])
    #expect(source.callCount == 2)
  }

  @Test func `a token that can't be renewed is used to its end`() async throws {
    let source = Source([.seconds(299), nil, .seconds(3_600)])
    #expect(try await authorizations(source, count: 3) == ["Bearer t1", "Bearer t1", "Bearer t3"])
  }

  @Test func `a failure is not kept`() async throws {
    let source = Source([nil, .seconds(3_600)])
    let cache = CachedAccessToken(source)
    await #expect(throws: StatusError(.unavailable, "as asked")) {
      try await cache.accessToken(deadline: .now)
    }
    #expect(try await cache.accessToken(deadline: .now).authorization == "Bearer t2")
  }

  @Test func `callers at the same time share one request`() async throws {
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let (started, start) = AsyncStream<Void>.makeStream()
    let source = Source([.seconds(3_600)], gate: gate, started: start)
    let cache = CachedAccessToken(source)
    let callers = (0..<20).map { _ in
      Task { try await cache.accessToken(deadline: .now).authorization }
    }
    // The request is under way, and stays so until the callers have had their turns.
    for await _ in started { break }
    for _ in 0..<1_000 { await Task.yield() }
    opener.finish()
    for caller in callers { #expect(try await caller.value == "Bearer t1") }
    #expect(source.callCount == 1)
  }

  @Test func `a token can't be printed`() {
    let token = AccessToken("ya29.secret", expiry: .now)
    var dumped = ""
    dump([token], to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(!text.contains("secret"))
    }
  }
}
