import Core
import NIOCore
import Synchronization

/// The commits that the listeners have received, and the time that each took to arrive.
final class Deliveries: Sendable {
  private struct State {
    /// The numbers of the received commits, for each listener.
    var heard: [Set<Int>]
    var nanoseconds: [UInt64] = []
    var outstanding = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state: Mutex<State>
  private let collections: Int
  private let first: Int

  /// - Parameter first: the number of the first commit to count. Commits with a lower number are
  ///   ignored.
  init(listeners: Int, collections: Int, first: Int) {
    self.collections = collections
    self.first = first
    state = Mutex(State(heard: Array(repeating: [], count: listeners)))
  }

  /// Records that a commit to a collection will be sent to all of its listeners.
  func expect(from collection: Int) {
    state.withLock { state in
      state.outstanding += stride(from: collection, to: state.heard.count, by: collections)
        .count { _ in true }
    }
  }

  /// Records that a listener has received a document. Ignores a document that it has received
  /// before.
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
  /// - Throws: `Missing` if they haven't in time.
  func complete(within timeLimit: Duration) async throws {
    let deadline = ContinuousClock.now + timeLimit
    while state.withLock(\.outstanding) > 0 {
      guard ContinuousClock.now < deadline else {
        throw Missing(count: state.withLock(\.outstanding))
      }
      // The timer resumes the wait at the deadline.
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

  /// Returns the report as JSON: delays in milliseconds, and the bytes for each delivery.
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
