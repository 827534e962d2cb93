/// The newest thousand durations, for exact percentiles.
package struct RecentDurations: Sendable {
  private static let capacity = 1_000

  private var durations: [Duration] = []
  /// The index of the oldest duration, which the next one replaces once the capacity is reached.
  private var next = 0

  package init() {}

  package var count: Int { durations.count }

  package mutating func add(_ duration: Duration) {
    guard durations.count == Self.capacity else { return durations.append(duration) }
    durations[next] = duration
    next = (next + 1) % Self.capacity
  }

  /// Returns the percentile for each share, or `nil` if there are no durations. For the share 0.95,
  /// at least 95 % of the durations are as long as the percentile or shorter.
  ///
  /// - Parameter shares: Numbers from 0 to 1, such as 0.95.
  package func percentiles(_ shares: [Double]) -> [Duration]? {
    guard !durations.isEmpty else { return nil }
    let sorted = durations.sorted()
    return shares.map { share in
      sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }
  }
}
