import Core
import Delivery
import FunctionRuntime

/// The current load of a function, and its statistics since the start.
struct FunctionStatus: Encodable {
  /// The percentiles of the newest latencies, in milliseconds.
  struct Latency: Encodable {
    /// The number of latencies.
    var count: Int
    var p50: Double
    var p95: Double
    var p99: Double

    /// Creates the percentiles, or returns `nil` if there are no durations.
    init?(_ durations: RecentDurations) {
      guard let percentiles = durations.percentiles([0.5, 0.95, 0.99]) else { return nil }
      let milliseconds = percentiles.map { ($0 / .microseconds(1)).rounded() / 1_000 }
      count = durations.count
      (p50, p95, p99) = (milliseconds[0], milliseconds[1], milliseconds[2])
    }
  }

  var name: String
  /// A Boolean value that indicates whether the function is paused individually.
  var paused: Bool
  /// The number of deliveries that wait for an attempt.
  var waiting: Int
  /// The number of deliveries with a running attempt.
  var running: Int
  /// The maximum number of events and calls at once.
  var concurrency: Int
  /// The processes, or `nil` if the function runs elsewhere.
  var processes: FunctionLoad.Processes?
  /// The number of attempts and calls, by exit code.
  var attempts: [String: Int]
  var succeeded: Int
  var skipped: Int
  var deadLettered: Int
  /// The time from a commit to the end of the attempt that succeeded.
  var latency: Latency?
  /// The time from a call to its response.
  var callLatency: Latency?
  var usage: InvocationRecord.Usage
  /// The approximate cost that cache hits have saved, in millionths of a US dollar, or `nil` if it
  /// is unknown. See `CacheSavings`.
  var savedMicros: Int?
}

/// The savings from cache hits.
///
/// A hit saves the average cost of a miss. The average is over all functions with the same engines,
/// since a function may use translations that another function has paid for.
struct CacheSavings {
  let counts: [String: DeliveryMetrics.Counts]

  /// Returns the savings of a function in millionths of a US dollar, or `nil` if there is no
  /// miss to compare with yet.
  func micros(of function: String) -> Int? {
    guard let usage = counts[function]?.usage, usage.cacheHits > 0 else { return 0 }
    let payers = counts.values.map(\.usage).filter {
      $0.cacheMisses > 0 && !Set($0.engines).isDisjoint(with: usage.engines)
    }
    let misses = payers.reduce(0) { $0 + $1.cacheMisses }
    guard misses > 0 else { return nil }
    return usage.cacheHits * payers.reduce(0) { $0 + $1.costMicros } / misses
  }
}
