import Core
import GoogleAuth
import Synchronization

/// A clock that the test sets.
final class TestClock: Sendable {
  static let start: Int64 = 1_900_000_000

  private let origin = ContinuousClock.now
  private let passed = Mutex<Int64>(0)

  func advance(by seconds: Int64) { passed.withLock { $0 += seconds } }

  var clock: TokenClock {
    TokenClock(
      seconds: { Self.start + self.passed.withLock { $0 } },
      instant: { self.origin + .seconds(self.passed.withLock { $0 }) }
    )
  }
}
