/// The time limit of one invocation.
package struct TimeLimit: Sendable {
  let duration: Duration
  let end: ContinuousClock.Instant

  /// Creates a limit that starts now.
  init(_ duration: Duration) {
    self.duration = duration
    end = .now + duration
  }

  /// Returns the time limit that the function is given: a shorter one, so that it ends with a
  /// result before it is killed.
  package static func told(of duration: Duration) -> Duration {
    duration - min(duration / 10, .seconds(1))
  }
}
