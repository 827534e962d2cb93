/// A circuit breaker for one provider.
///
/// After repeated failures it refuses calls for a while, then admits one call as a probe.
struct CircuitBreaker: Sendable {
  /// The number of consecutive failures that open the circuit.
  static let threshold = 5
  /// The time for which the circuit stays open. It is short, since every call fails meanwhile.
  static let pause = Duration.seconds(5)

  /// The decision about a call.
  enum Admission: Equatable, Sendable {
    case admitted(isProbe: Bool)
    /// A refusal, with the time until a call may be admitted.
    case refused(Duration)
  }

  /// The provider's state according to a call.
  enum Verdict: Sendable {
    /// A response that doesn't report a failure of the provider.
    case alive
    /// No response, or a failure that the provider reported.
    case failed
    /// No information about the provider, since the caller's side ended the call.
    case unknown
  }

  private enum State: Sendable {
    /// Admitting calls. Moves to `open` with the last of `threshold` consecutive failures.
    case closed(failures: Int)
    /// Refusing calls. Moves to `halfOpen` with the first call after `until`.
    case open(until: ContinuousClock.Instant)
    /// Running the probe and refusing other calls. Moves to `closed` or `open` by the probe's
    /// verdict.
    case halfOpen
  }

  private var state = State.closed(failures: 0)

  /// Decides whether a call is admitted. The caller must record the verdict of an admitted call.
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

  /// Records the verdict of a call.
  ///
  /// - Parameter isProbe: whether the call was admitted as a probe. While the circuit isn't closed,
  ///   only the probe's verdict counts.
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
