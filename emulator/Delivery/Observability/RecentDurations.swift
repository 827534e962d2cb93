/// The newest thousand of some durations, from which percentiles are read as they are.
package struct RecentDurations: Sendable {
  private static let capacity = 1_000

  private var durations: [Duration] = []
  /// Where the next one goes, once all places are taken.
  private var next = 0

  package init() {}

  package var count: Int { durations.count }

  package mutating func add(_ duration: Duration) {
    guard durations.count == Self.capacity else { return durations.append(duration) }
    durations[next] = duration
    next = (next + 1) % Self.capacity
  }

  /// The shortest that is no shorter than this share of them; nil of none.
  ///
  /// - Parameter shares: between 0 and 1, such as 0.95.
  package func percentiles(_ shares: [Double]) -> [Duration]? {
    guard !durations.isEmpty else { return nil }
    let sorted = durations.sorted()
    return shares.map { share in
      sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
    }
  }
}
