/// The time limit of one invocation.
package struct TimeLimit: Sendable {
  let duration: Duration
  let end: ContinuousClock.Instant

  /// Creates a limit that starts now.
  init(_ duration: Duration) {
    self.duration = duration
    end = .now + duration
  }

  /// Returns the time limit to pass to the function. It is shorter than the one at which the
  /// function is killed, so that the function can still report a result.
  package static func told(of duration: Duration) -> Duration {
    duration - min(duration / 10, .seconds(1))
  }
}
