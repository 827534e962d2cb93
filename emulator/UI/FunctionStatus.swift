import Core
import Delivery
import FunctionRuntime

/// What a function does at this moment, and what it has done since the start.
struct FunctionStatus: Encodable {
  /// Of so many of the newest, in milliseconds.
  struct Latency: Encodable {
    var count: Int
    var p50: Double
    var p95: Double
    var p99: Double

    /// - Returns: nil if there are none.
    init?(_ durations: RecentDurations) {
      guard let percentiles = durations.percentiles([0.5, 0.95, 0.99]) else { return nil }
      let milliseconds = percentiles.map { ($0 / .microseconds(1)).rounded() / 1_000 }
      count = durations.count
      (p50, p95, p99) = (milliseconds[0], milliseconds[1], milliseconds[2])
    }
  }

  var name: String
  /// Whether its own deliveries are held back.
  var paused: Bool
  /// Deliveries that wait for an attempt, and those under way.
  var waiting: Int
  var running: Int
  /// How many events and calls it may have at once.
  var concurrency: Int
  /// Nil if it runs elsewhere.
  var processes: FunctionLoad.Processes?
  /// How many attempts and calls ended with each exit code.
  var attempts: [String: Int]
  var succeeded: Int
  var skipped: Int
  var deadLettered: Int
  /// From a commit to the end of the attempt that succeeded.
  var latency: Latency?
  /// From a call to its answer.
  var callLatency: Latency?
  var usage: InvocationRecord.Usage
  /// What would have been paid for the cache's hits, in millionths of a US dollar, about; nil if it
  /// can't be told. See `CacheSavings`.
  var savedMicros: Int?
}

/// What a hit in the cache saves: as much as a miss costs on average, of all functions that ask the same
/// engines, as one may have paid for what another finds.
struct CacheSavings {
  let counts: [String: DeliveryMetrics.Counts]

  /// - Returns: in millionths of a US dollar; nil if nobody has paid for a miss yet.
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
