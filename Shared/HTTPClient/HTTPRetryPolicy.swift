package import Core

/// The retry policy of requests: exponential backoff with full jitter.
///
/// Use retries only for requests that are idempotent or that the server deduplicates: if only the
/// response was lost, the first request has taken effect.
package struct HTTPRetryPolicy: Sendable {
  /// The statuses that indicate a temporary failure.
  package static let transientStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// The maximum number of attempts, including the first.
  package var maximumAttempts: Int
  /// The statuses after which the request is retried.
  package var statuses: Set<Int>
  /// The upper bound of the first delay. The bound doubles with each attempt.
  package var initialDelay: Duration
  /// The upper bound of all delays.
  package var maximumDelay: Duration
  /// The longest delay that a server may ask for. If a server asks for a longer one, the request
  /// isn't retried.
  package var maximumServerDelay: Duration
  /// A closure that returns `true` for a response after which a retry is useless, although its
  /// status is in `statuses`.
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

  /// Returns the delay before the next attempt, or `nil` if there is no next attempt.
  ///
  /// The delay is uniformly random between zero and the exponential bound ("full jitter"), so that
  /// clients that failed together don't retry together. If the server asks for a delay, the result
  /// is at least that delay.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the last attempt. After errors other than UNAVAILABLE there is no
  ///     retry.
  ///   - attempt: The number of that attempt, from 1.
  ///   - timeLeft: The time until the deadline. If the delay isn't shorter, there is no retry.
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

  /// Returns the value of the header x-should-retry, or `nil` if the response doesn't have it.
  /// OpenAI's and Anthropic's own clients follow this header, too.
  private static func advice(of response: HTTPResponse) -> Bool? {
    guard response.status >= 400 else { return nil }
    return switch response["x-should-retry"] {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// Returns the exponential bound. It is computed in a loop, because a large power of two would
  /// overflow.
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
