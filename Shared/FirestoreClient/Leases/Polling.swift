/// The delays between reads of a document that another invocation is writing: exponential backoff
/// with jitter, so that waiting invocations don't read at the same time.
package struct Polling: Sendable {
  private static let firstBound = Duration.milliseconds(5)
  private static let lastBound = Duration.milliseconds(250)

  private let deadline: ContinuousClock.Instant
  private let random: @Sendable () -> UInt64
  private var bound = Self.firstBound

  init(until deadline: ContinuousClock.Instant, random: @escaping @Sendable () -> UInt64) {
    self.deadline = deadline
    self.random = random
  }

  /// Waits, each time longer up to a limit, but not beyond the deadline.
  ///
  /// - Returns: `false`, without waiting, if the deadline has passed or the task is cancelled.
  package mutating func pause() async -> Bool {
    let timeLeft = ContinuousClock.now.duration(to: deadline)
    guard timeLeft > .zero, !Task.isCancelled else { return false }
    let half = UInt64(bound / .microseconds(2))
    let wait = bound / 2 + .microseconds(random() % half)
    bound = min(bound * 2, Self.lastBound)
    try? await Task.sleep(for: min(wait, timeLeft))
    return true
  }
}
