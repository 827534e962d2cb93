import Core
import NIOCore
import Synchronization

/// The commits that each listener has received, and the delays since they were sent.
final class Deliveries: Sendable {
  private struct State {
    /// The numbers of the commits that each listener has received.
    var heard: [Set<Int>]
    var nanoseconds: [UInt64] = []
    var outstanding = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>
  private let collections: Int
  private let first: Int

  /// Creates the record.
  ///
  /// - Parameter first: the number of the first commit; earlier ones don't count.
  init(listeners: Int, collections: Int, first: Int) {
    self.collections = collections
    self.first = first
    state = Mutex(State(heard: Array(repeating: [], count: listeners)))
  }

  /// Records that a commit to a collection is about to be sent.
  func expect(from collection: Int) {
    state.withLock { state in
      state.outstanding += stride(from: collection, to: state.heard.count, by: collections)
        .count { _ in true }
    }
  }

  /// Records that a listener received a document. A repeated one doesn't count.
  func note(_ mark: Mark, by listener: Int, at now: NIODeadline) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard mark.number >= first, state.heard[listener].insert(mark.number).inserted else {
        return nil
      }
      state.nanoseconds.append(now.uptimeNanoseconds - mark.sent)
      state.outstanding -= 1
      guard state.outstanding == 0 else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }?.resume()
  }

  /// Waits until all listeners have received all commits.
  ///
  /// - Throws: `Missing` if that takes too long.
  func complete(within patience: Duration) async throws {
    let deadline = ContinuousClock.now + patience
    while state.withLock(\.outstanding) > 0 {
      guard ContinuousClock.now < deadline else {
        throw Missing(count: state.withLock(\.outstanding))
      }
      // The timer is both the deadline and a cheap wake-up.
      let timer = Task { [self] in
        try await Task.sleep(until: deadline, clock: .continuous)
        state.withLock { state -> CheckedContinuation<Void, Never>? in
          defer { state.waiter = nil }
          return state.waiter
        }?.resume()
      }
      await withCheckedContinuation { continuation in
        let isComplete = state.withLock { state in
          if state.outstanding == 0 { return true }
          state.waiter = continuation
          return false
        }
        if isComplete { continuation.resume() }
      }
      timer.cancel()
    }
  }

  struct Missing: Error, CustomStringConvertible {
    let count: Int
    var description: String { "\(count) deliveries never came" }
  }

  /// Returns the report: milliseconds, and bytes for each delivery.
  func report(seconds: Double, bytes: Int) -> String {
    let sorted = state.withLock { $0.nanoseconds.sorted() }
    func percentile(_ percent: Int) -> Double {
      Double(sorted[min(sorted.count - 1, sorted.count * percent / 100)]) / 1e6
    }
    return """
      {"deliveries":\(sorted.count),"seconds":\(seconds),"p50":\(percentile(50)),\
      "p95":\(percentile(95)),"p99":\(percentile(99)),\
      "bytes":\(Double(bytes) / Double(max(1, sorted.count)))}
      """
  }
}
