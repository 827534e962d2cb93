import Core
import DequeModule
import FirestoreModel
import FunctionHost
import Synchronization

/// The log of calls of callable functions. The oldest calls are dropped.
package final class CallLog: Sendable {
  private struct State {
    var calls: [String: FunctionCall] = [:]
    /// The ids, the oldest first.
    var order: Deque<String> = []
    /// The size of the calls' data and results.
    var bytes = 0

    /// Drops the oldest calls while a limit is exceeded.
    mutating func forgetOldest() {
      while order.count > CallLog.capacity || bytes > CallLog.maximumBytes,
        let oldest = order.popFirst(), let call = calls.removeValue(forKey: oldest)
      {
        bytes -= call.event.count + (call.result?.line.count ?? 0)
      }
    }
  }

  private static let capacity = 5_000
  private static let maximumBytes = 8 << 20

  private let feed: ActivityFeed
  private let state = Mutex(State())

  /// Creates a log.
  ///
  /// - Parameter feed: The feed that gets each call at its beginning and its end.
  init(feed: ActivityFeed) { self.feed = feed }

  /// All kept calls, the oldest first.
  package var all: [FunctionCall] {
    state.withLock { state in state.order.compactMap { state.calls[$0] } }
  }

  package subscript(id: String) -> FunctionCall? { state.withLock { $0.calls[id] } }

  func begin(_ call: FunctionCall) {
    state.withLock { state in
      state.calls[call.id] = call
      state.order.append(call.id)
      state.bytes += call.event.count
      state.forgetOldest()
    }
    feed.publish(.call(call))
  }

  func end(_ id: String, _ result: InvocationResult, at now: Timestamp) {
    let call = state.withLock { state -> FunctionCall? in
      state.calls[id]?.end(result, at: now)
      let call = state.calls[id]
      state.bytes += call?.result?.line.count ?? 0
      state.forgetOldest()
      return call
    }
    feed.publish(call.map { .call($0) })
  }
}
