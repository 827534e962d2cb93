import Platform
import Synchronization

/// What was asked and answered since the start.
final class ServeMetrics: Sendable {
  /// Upper bounds in seconds, the last one without any.
  static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  struct Histogram: Sendable {
    /// How many took no longer than the bound, and longer than the one before.
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    var seconds = 0.0
  }

  struct Key: Sendable, Hashable {
    var kind: String
    var status: Int
  }

  struct State: Sendable {
    var requests: [Key: Int] = [:]
    var durations: [String: Histogram] = [:]
    var inFlight = 0
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.inFlight += 1 } }

  /// What began is counted by somebody else.
  func forget() { state.withLock { $0.inFlight -= 1 } }

  /// What never began.
  func refuse(status: Int) {
    state.withLock {
      $0.requests[Key(kind: RequestKind.unknown, status: status), default: 0] += 1
    }
  }

  func end(kind: String, status: Int, after duration: Duration) {
    let seconds = duration / .seconds(1)
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.inFlight -= 1
      state.requests[Key(kind: kind, status: status), default: 0] += 1
      state.durations[kind, default: Histogram()].counts[bucket] += 1
      state.durations[kind, default: Histogram()].seconds += seconds
    }
  }

  var snapshot: State { state.withLock { $0 } }
}

/// The memory of this process in bytes, without that of the function's; nil where it can't be told.
func residentBytes() -> Int? {
  guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)
  else {
    return nil
  }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
}
