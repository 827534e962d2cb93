import DequeModule
import Synchronization

/// The log of functions' requests to providers. The oldest are dropped.
package final class ProviderCallLog: Sendable {
  private struct State {
    var calls: Deque<ProviderCall> = []
    var bytes = 0
  }

  private static let capacity = 20_000
  private static let maximumBytes = 24 << 20

  private let state = Mutex(State())

  /// All kept calls, in the order of their responses.
  package var all: [ProviderCall] { Array(state.withLock(\.calls)) }

  package func add(_ call: ProviderCall) {
    state.withLock { state in
      state.calls.append(call)
      state.bytes += call.bytes
      while state.calls.count > Self.capacity || state.bytes > Self.maximumBytes,
        let oldest = state.calls.popFirst()
      {
        state.bytes -= oldest.bytes
      }
    }
  }
}
