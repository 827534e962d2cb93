/// How long a function may take for an event.
package struct TimeLimit: Sendable {
  let duration: Duration
  let end: ContinuousClock.Instant

  /// From now on.
  init(_ duration: Duration) {
    self.duration = duration
    end = .now + duration
  }

  /// What of it a function is told it has: it ends by itself with a result before it is killed.
  package static func told(of duration: Duration) -> Duration {
    duration - min(duration / 10, .seconds(1))
  }
}
