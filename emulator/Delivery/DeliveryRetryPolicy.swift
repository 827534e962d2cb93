/// When a delivery that failed for a while is tried again, and when it is given up.
package struct DeliveryRetryPolicy: Sendable {
  package var firstDelay: Duration
  package var maximumDelay: Duration
  /// nil: as many as fit into the window.
  package var maximumAttempts: Int?
  /// How long after the event the last attempt may be; nil: for ever.
  package var window: Duration?
  /// Whether delays are drawn from between half of them and all.
  package var hasJitter: Bool

  package init(
    firstDelay: Duration,
    maximumDelay: Duration,
    maximumAttempts: Int?,
    window: Duration?,
    hasJitter: Bool
  ) {
    self.firstDelay = firstDelay
    self.maximumDelay = maximumDelay
    self.maximumAttempts = maximumAttempts
    self.window = window
    self.hasJitter = hasJitter
  }

  /// For people who wait: three attempts within a second.
  package static let local = DeliveryRetryPolicy(
    firstDelay: .milliseconds(100),
    maximumDelay: .seconds(1),
    maximumAttempts: 3,
    window: nil,
    hasJitter: false
  )

  /// Pub/Sub's, on which Eventarc rests: 10 to 600 s apart, for a day.
  ///
  /// Source: cloud.google.com/eventarc/docs/retry-events.
  package static let production = DeliveryRetryPolicy(
    firstDelay: .seconds(10),
    maximumDelay: .seconds(600),
    maximumAttempts: nil,
    window: .seconds(86_400),
    hasJitter: true
  )

  /// - Parameters:
  ///   - attempts: how many there were.
  ///   - age: how long ago the event was.
  ///   - chance: between 0 and 1.
  ///   - asked: how long a provider asked the function to wait: at least that, as far as
  ///     `maximumDelay` goes.
  /// - Returns: how long to wait before the next; nil to give up.
  func delay(after attempts: Int, age: Duration, chance: Double, asked: Duration? = nil)
    -> Duration?
  {
    if let maximumAttempts, attempts >= maximumAttempts { return nil }
    var delay = firstDelay
    for _ in 1..<max(1, attempts) where delay < maximumDelay { delay *= 2 }
    delay = min(delay, maximumDelay)
    if hasJitter { delay = delay * (0.5 + chance / 2) }
    delay = max(delay, min(asked ?? .zero, maximumDelay))
    if let window, age + delay > window { return nil }
    return delay
  }
}

/// How a dispatcher waits: as long as it is told, or a fraction of it.
package struct RetryClock: Sendable {
  /// How many times faster than real ones the waiting's hours pass. Timestamps stay true.
  package var scale: Double
  package var sleep: @Sendable (Duration) async throws -> Void

  package init(
    scale: Double = 1,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.scale = scale
    self.sleep = sleep
  }
}
