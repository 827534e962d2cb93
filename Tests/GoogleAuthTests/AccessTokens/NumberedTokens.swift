import Core
import GoogleAuth
import Synchronization

/// A source of numbered tokens.
///
/// Each token has the next lifetime of a list, and later tokens have the last one. A lifetime of
/// `nil` makes the request fail.
final class NumberedTokens: AccessTokenSource {
  private let lifetimes: [Duration?]
  private let calls = Mutex(0)
  /// A stream for which a request waits, if the test wants to delay it.
  private let gate: AsyncStream<Void>?
  private let started: AsyncStream<Void>.Continuation?

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
