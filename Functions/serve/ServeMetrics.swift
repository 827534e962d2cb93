import FunctionHost
import Synchronization

/// The counts and durations of requests since the start, and the sums of what invocations reported.
final class ServeMetrics: Sendable {
  private static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  struct Key: Sendable, Hashable {
    var kind: String
    var status: Int
  }

  struct State: Sendable {
    var requests: [Key: Int] = [:]
    var durations: [String: Histogram] = [:]
    var inFlight = 0
    var reports = ReportSums()
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.inFlight += 1 } }

  /// Ends a request without counting it: a stream is counted when it is sent.
  func forget() { state.withLock { $0.inFlight -= 1 } }

  /// Counts a request that was refused before its kind was known.
  func refuse(status: Int) {
    state.withLock {
      $0.requests[Key(kind: RequestKind.unknown, status: status), default: 0] += 1
    }
  }

  func end(kind: String, status: Int, after duration: Duration) {
    state.withLock { state in
      state.inFlight -= 1
      state.requests[Key(kind: kind, status: status), default: 0] += 1
      state.durations[kind, default: Histogram(bounds: Self.bounds)].add(duration)
    }
  }

  /// Adds what an invocation reported.
  func add(_ result: InvocationResult) { state.withLock { $0.reports.add(result) } }

  var snapshot: State { state.withLock { $0 } }
}
