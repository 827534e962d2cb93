import Core

/// A pair of clocks: one with the calendar time, for tokens' claims, and a monotonic one, for the
/// lifetime of cached keys.
package struct TokenClock: Sendable {
  /// A closure that returns the time in seconds since 1970.
  package var seconds: @Sendable () -> Int64
  package var instant: @Sendable () -> ContinuousClock.Instant

  package init(
    seconds: @escaping @Sendable () -> Int64,
    instant: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.seconds = seconds
    self.instant = instant
  }

  package static let system = TokenClock(
    seconds: { Int64(time(nil)) },
    instant: { ContinuousClock.now }
  )
}
