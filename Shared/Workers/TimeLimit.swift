/// How long a function may take for an event.
struct TimeLimit: Sendable {
  let duration: Duration
  let end: ContinuousClock.Instant

  /// From now on.
  init(_ duration: Duration) {
    self.duration = duration
    end = .now + duration
  }
}
