package import FunctionHost
package import FunctionRuntime
import Synchronization

/// The metrics of functions' attempts and calls, for Prometheus.
package final class DeliveryMetrics: Sendable {
  /// The histograms' bounds in seconds: those of OpenTelemetry's conventions for FaaS, and two
  /// lower ones for workers.
  private static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
  ]

  /// The metrics of one function.
  package struct Counts: Sendable {
    /// The number of attempts, by exit code.
    package var attempts: [Int32: Int] = [:]
    package var succeeded = 0
    package var skipped = 0
    package var deadLettered = 0
    /// The times from the commit to the start of the first attempt.
    package var startDelay = Histogram(bounds: DeliveryMetrics.bounds)
    /// The times from the commit to the end of the attempt that succeeded.
    package var latency = Histogram(bounds: DeliveryMetrics.bounds)
    /// The exact latencies of the newest deliveries.
    package var latencies = RecentDurations()
    /// The latencies of the newest calls, from request to response.
    package var callLatencies = RecentDurations()
    package var reports = ReportSums()
    package var usage: InvocationRecord.Usage { reports.usage }

    package init() {}
  }

  private let functions = Mutex<[String: Counts]>([:])

  /// The metrics by function.
  package var counts: [String: Counts] { functions.withLock(\.self) }

  /// Counts the start of a delivery's first attempt.
  func countStart(of function: String, after delay: Duration) {
    functions.withLock { $0[function, default: Counts()].startDelay.add(delay) }
  }

  /// Counts an attempt.
  ///
  /// - Parameters:
  ///   - isLast: Whether the delivery has ended with the attempt.
  ///   - latency: The time since the commit.
  func count(
    _ result: InvocationResult,
    of function: String,
    isLast: Bool,
    latency: Duration
  ) {
    functions.withLock { functions in
      functions[function, default: Counts()].count(result, isLast: isLast)
      guard isLast, result.status == .ok else { return }
      functions[function]?.latency.add(latency)
      functions[function]?.latencies.add(latency)
    }
  }

  /// Counts a call.
  ///
  /// - Parameter latency: The time from request to response.
  func count(callAnsweredBy result: InvocationResult, of function: String, latency: Duration) {
    functions.withLock { functions in
      functions[function, default: Counts()].count(result, isLast: true)
      functions[function]?.callLatencies.add(latency)
    }
  }
}

extension DeliveryMetrics.Counts {
  fileprivate mutating func count(_ result: InvocationResult, isLast: Bool) {
    attempts[result.exitCode, default: 0] += 1
    reports.add(result)
    guard isLast else { return }
    switch result.status {
    case .ok: succeeded += 1
    case .skipped: skipped += 1
    case .error: deadLettered += 1
    }
  }
}
