/// Leaves a provider alone that keeps failing, and finds out with one request when it is back.
struct CircuitBreaker: Sendable {
  /// How many calls in a row have to fail.
  static let threshold = 5
  /// How long it is left alone then. Short, as all that is asked meanwhile fails.
  static let pause = Duration.seconds(5)

  /// Whether a call may be made.
  enum Admission: Equatable, Sendable {
    case admitted(isProbe: Bool)
    /// Not before so long.
    case refused(Duration)
  }

  /// What a call said of the provider.
  enum Verdict: Sendable {
    /// It answered, whatever it said.
    case alive
    /// It didn't answer, or said that it failed.
    case failed
    /// Nothing: the call was ended by our side.
    case unknown
  }

  private enum State: Sendable {
    /// Calls pass. Moves to `open` with the last of so many failures in a row.
    case closed(failures: Int)
    /// Calls are refused. Moves to `halfOpen` with the first call after that time.
    case open(until: ContinuousClock.Instant)
    /// One call is under way, the others are refused. Moves to `closed` or `open` by its verdict.
    case halfOpen
  }

  private var state = State.closed(failures: 0)

  /// Asks for a call; one that is admitted is to be recorded.
  mutating func admit(at now: ContinuousClock.Instant) -> Admission {
    switch state {
    case .closed: return .admitted(isProbe: false)
    case .open(let end) where now < end: return .refused(now.duration(to: end))
    case .open:
      state = .halfOpen
      return .admitted(isProbe: true)
    case .halfOpen: return .refused(Self.pause)
    }
  }

  /// - Parameter isProbe: as the call was admitted. Others that end late decide nothing.
  mutating func record(_ verdict: Verdict, isProbe: Bool, at now: ContinuousClock.Instant) {
    switch (state, verdict) {
    case (.closed, .alive): state = .closed(failures: 0)
    case (.closed(let failures), .failed):
      state =
        failures + 1 < Self.threshold
        ? .closed(failures: failures + 1) : .open(until: now + Self.pause)
    case (.halfOpen, .alive) where isProbe: state = .closed(failures: 0)
    case (.halfOpen, .failed) where isProbe: state = .open(until: now + Self.pause)
    case (.halfOpen, .unknown) where isProbe: state = .open(until: now)
    case (.closed, .unknown), (.open, _), (.halfOpen, _): break
    }
  }
}
