import Services
import Synchronization

/// Waits for all listeners to have their ports, and knows these; then for all else to be prepared.
final class Startup: Sendable {
  private struct State {
    var addresses = Addresses()
    var missing: Set<ServiceName>
    var isPrepared = false
  }

  private let state: Mutex<State>
  private let (events, done) = AsyncStream<Addresses>.makeStream()
  private let (preparations, preparation) = AsyncStream<Never>.makeStream()

  init(expecting names: Set<ServiceName>) {
    state = Mutex(State(missing: names))
    if names.isEmpty { done.yield(Addresses()) }
  }

  var addresses: Addresses { state.withLock(\.addresses) }

  func listens(_ name: ServiceName, _ address: Addresses.Address) {
    let all = state.withLock { state -> Addresses? in
      state.addresses[name] = address
      state.missing.remove(name)
      return state.missing.isEmpty ? state.addresses : nil
    }
    if let all { done.yield(all) }
  }

  /// nil if the task is cancelled first, because a listener failed or a signal came.
  func allListen() async -> Addresses? {
    for await addresses in events { return addresses }
    return nil
  }

  func prepared() {
    state.withLock { $0.isPrepared = true }
    preparation.finish()
  }

  var isPrepared: Bool { state.withLock(\.isPrepared) }

  /// Returns when all is prepared, or the task is cancelled.
  func waitUntilPrepared() async {
    for await _ in preparations {}
  }
}
