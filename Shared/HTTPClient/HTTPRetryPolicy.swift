package import Core

/// When a request is sent again, and after which wait.
///
/// A retried request may have taken effect the first time, when only its response was lost. Use it
/// for requests that may happen twice or that the server recognises.
package struct HTTPRetryPolicy: Sendable {
  /// The statuses that may pass by themselves.
  package static let transientStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// How often the request is sent at most, the first time included.
  package var maximumAttempts: Int
  /// The statuses after which it is sent again.
  package var statuses: Set<Int>
  /// The upper bound of the first wait; it doubles with each attempt.
  package var initialDelay: Duration
  /// Where the doubling ends.
  package var maximumDelay: Duration
  /// The longest wait a server may ask for. If it asks for more, its response is final.
  package var maximumServerDelay: Duration
  /// Whether a response of one of `statuses` says itself that no repetition will help.
  package var isFinal: @Sendable (HTTPResponse) -> Bool

  package init(
    maximumAttempts: Int = 3,
    statuses: Set<Int> = transientStatuses,
    initialDelay: Duration = .milliseconds(200),
    maximumDelay: Duration = .seconds(5),
    maximumServerDelay: Duration = .seconds(20),
    isFinal: @escaping @Sendable (HTTPResponse) -> Bool = { _ in false }
  ) {
    self.maximumAttempts = maximumAttempts
    self.statuses = statuses
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.maximumServerDelay = maximumServerDelay
    self.isFinal = isFinal
  }

  /// The wait before the next attempt, or nil when there is none.
  ///
  /// The wait is evenly random between zero and the exponential bound ("full jitter"), so that
  /// clients that failed together don't return together. A server's wait is a lower bound of it.
  ///
  /// - Parameters:
  ///   - outcome: What the last attempt brought. Of the errors only UNAVAILABLE is transient.
  ///   - attempt: The number of that attempt, from 1.
  ///   - timeLeft: The time to the deadline. A wait that would reach it is none.
  ///   - jitter: A random number from 0 to 1.
  package func delay(
    after outcome: Result<HTTPResponse, StatusError>,
    attempt: Int,
    timeLeft: Duration,
    jitter: @autoclosure () -> Double
  ) -> Duration? {
    guard attempt < maximumAttempts else { return nil }
    let serverDelay: Duration?
    switch outcome {
    case .success(let response):
      guard Self.advice(of: response) ?? statuses.contains(response.status), !isFinal(response)
      else { return nil }
      serverDelay = response.retryAfter
    case .failure(let error):
      guard error.code == .unavailable else { return nil }
      serverDelay = error.retryAfter
    }
    if let serverDelay, serverDelay > maximumServerDelay { return nil }
    let delay = max(bound(afterAttempt: attempt) * jitter(), serverDelay ?? .zero)
    return delay < timeLeft ? delay : nil
  }

  /// What a server that sends x-should-retry says; nil for all others. OpenAI's and Anthropic's own
  /// clients follow it, too.
  private static func advice(of response: HTTPResponse) -> Bool? {
    guard response.status >= 400 else { return nil }
    return switch response["x-should-retry"] {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// Doubles step by step: a power of two would overflow at high attempts.
  private func bound(afterAttempt attempt: Int) -> Duration {
    var bound = initialDelay
    var doublings = attempt - 1
    while doublings > 0 && bound < maximumDelay && bound > .zero {
      bound *= 2
      doublings -= 1
    }
    return min(bound, maximumDelay)
  }
}
