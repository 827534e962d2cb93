/// The retry policy of deliveries: exponential backoff with limits.
package struct DeliveryRetryPolicy: Sendable {
  package var firstDelay: Duration
  package var maximumDelay: Duration
  /// The maximum number of attempts, or `nil` for as many as fit into the window.
  package var maximumAttempts: Int?
  /// The maximum time between the event and its last attempt, or `nil` for no limit.
  package var window: Duration?
  /// A Boolean value that indicates whether a delay is shortened at random, to no less than half.
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

  /// The policy for development: three attempts within a second.
  package static let local = DeliveryRetryPolicy(
    firstDelay: .milliseconds(100),
    maximumDelay: .seconds(1),
    maximumAttempts: 3,
    window: nil,
    hasJitter: false
  )

  /// The policy of Pub/Sub, which Eventarc uses: attempts 10 to 600 s apart, for a day.
  ///
  /// Source: cloud.google.com/eventarc/docs/retry-events.
  package static let production = DeliveryRetryPolicy(
    firstDelay: .seconds(10),
    maximumDelay: .seconds(600),
    maximumAttempts: nil,
    window: .seconds(86_400),
    hasJitter: true
  )

  /// Returns the delay before the next attempt, or `nil` to give up.
  ///
  /// - Parameters:
  ///   - attempts: The number of attempts so far.
  ///   - age: The time since the event.
  ///   - chance: A random number from 0 to 1 for the jitter.
  ///   - asked: The minimum delay that a provider asked for. It is limited to `maximumDelay`.
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

/// The clock by which a dispatcher waits for retries.
package struct RetryClock: Sendable {
  /// The number by which delays are divided. Timestamps don't change.
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
