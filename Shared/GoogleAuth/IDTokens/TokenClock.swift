import Core

/// What time it is: by the calendar for what tokens say, by a clock that nobody sets for how long
/// keys are kept.
package struct TokenClock: Sendable {
  /// Seconds since 1970.
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
