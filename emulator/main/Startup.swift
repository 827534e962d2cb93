import Server
import Synchronization

/// Waits for all listeners to accept, and knows their addresses.
final class Startup: Sendable {
  private struct State {
    var addresses = Addresses()
    var missing: Set<String>
  }

  private let state: Mutex<State>
  private let events: AsyncStream<Addresses>
  private let done: AsyncStream<Addresses>.Continuation

  init(expecting names: Set<String>) {
    state = Mutex(State(missing: names))
    (events, done) = AsyncStream.makeStream()
    if names.isEmpty { done.yield(Addresses()) }
  }

  var addresses: Addresses { state.withLock(\.addresses) }

  func accepts(_ name: String, _ address: Addresses.Address) {
    let all = state.withLock { state -> Addresses? in
      state.addresses[name] = address
      state.missing.remove(name)
      return state.missing.isEmpty ? state.addresses : nil
    }
    if let all { done.yield(all) }
  }

  /// nil if the task is cancelled first, because a listener failed or a signal came.
  func allAccept() async -> Addresses? {
    for await addresses in events { return addresses }
    return nil
  }
}
