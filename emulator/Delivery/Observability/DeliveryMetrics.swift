package import FunctionHost
package import FunctionRuntime
import Synchronization

/// Counts of what functions did, for Prometheus.
package final class DeliveryMetrics: Sendable {
  /// In seconds: those of FaaS's conventions in OpenTelemetry, and two below for workers.
  private static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
  ]

  package struct Counts: Sendable {
    /// Attempts by exit code.
    package var attempts: [Int32: Int] = [:]
    package var succeeded = 0
    package var skipped = 0
    package var deadLettered = 0
    /// From the commit to the start of the first attempt.
    package var startDelay = Histogram(bounds: DeliveryMetrics.bounds)
    /// From the commit to the end of the attempt that succeeded.
    package var latency = Histogram(bounds: DeliveryMetrics.bounds)
    /// The same of the newest ones, each as it was.
    package var latencies = RecentDurations()
    /// Of the newest calls, from the question to the answer.
    package var callLatencies = RecentDurations()
    package var usage = InvocationRecord.Usage()

    package init() {}
  }

  private let functions = Mutex<[String: Counts]>([:])

  /// By function.
  package var counts: [String: Counts] { functions.withLock(\.self) }

  func countStart(of function: String, after delay: Duration) {
    functions.withLock { $0[function, default: Counts()].startDelay.add(delay) }
  }

  /// - Parameters:
  ///   - isLast: whether the delivery has ended with it.
  ///   - latency: since the commit.
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

  /// - Parameter latency: from the question to the answer.
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
    if let usage = result.usage { self.usage.add(usage) }
    guard isLast else { return }
    switch result.status {
    case .ok: succeeded += 1
    case .skipped: skipped += 1
    case .error: deadLettered += 1
    }
  }
}

extension InvocationRecord.Usage {
  fileprivate mutating func add(_ other: Self) {
    providerCalls += other.providerCalls
    cacheHits += other.cacheHits
    cacheMisses += other.cacheMisses
    serve(translations: other.translationsServed ?? 0)
    charactersBilled += other.charactersBilled
    promptTokens += other.promptTokens
    completionTokens += other.completionTokens
    costMicros += other.costMicros
    for engine in other.unpricedEngines ?? [] { charge(nil, by: engine) }
    for engine in other.engines { add(engine: engine) }
  }
}
