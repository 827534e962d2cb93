/// A histogram of durations with cumulative buckets, as in Prometheus.
package struct Histogram: Sendable {
  /// The buckets' upper bounds, in seconds.
  package let bounds: [Double]
  /// For each bound, the number of durations that are at most that long.
  package private(set) var counts: [Int]
  package private(set) var count = 0
  /// The sum of all durations, in seconds.
  package private(set) var sum = 0.0

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = [Int](repeating: 0, count: bounds.count)
  }

  package mutating func add(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    count += 1
    sum += seconds
    for (index, bound) in bounds.enumerated() where seconds <= bound { counts[index] += 1 }
  }
}
