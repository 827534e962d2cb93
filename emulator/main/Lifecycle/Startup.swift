import Services
import Synchronization

/// The progress of an emulator's start. First all services listen, then the functions are found and
/// the data is imported.
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

  /// The addresses of the services that listen so far.
  var addresses: Addresses { state.withLock(\.addresses) }

  /// Records that a service listens at an address.
  func listens(_ name: ServiceName, _ address: Addresses.Address) {
    let all = state.withLock { state -> Addresses? in
      state.addresses[name] = address
      state.missing.remove(name)
      return state.missing.isEmpty ? state.addresses : nil
    }
    if let all { done.yield(all) }
  }

  /// Returns all addresses once all services listen. If a listener fails or a signal arrives first,
  /// the task is cancelled and the result is `nil`.
  func allListen() async -> Addresses? {
    for await addresses in events { return addresses }
    return nil
  }

  /// Records that the functions are found and the data is imported.
  func prepared() {
    state.withLock { $0.isPrepared = true }
    preparation.finish()
  }

  var isPrepared: Bool { state.withLock(\.isPrepared) }

  /// Waits until `prepared` is called or the task is cancelled.
  func waitUntilPrepared() async {
    for await _ in preparations {}
  }
}
