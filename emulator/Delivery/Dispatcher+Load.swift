import FunctionHost
import Synchronization

/// What a function is doing at this moment.
package struct FunctionLoad: Sendable {
  /// The processes of a function that runs on this machine.
  package struct Processes: Sendable, Encodable {
    /// How many there are, idle or at work.
    package var count: Int
    package var idle: Int
    /// Events and calls at work.
    package var busy: Int
    /// Events and calls that wait for a place.
    package var queued: Int
  }

  /// Its deliveries that wait for an attempt, and those under way.
  package var waiting = 0
  package var running = 0
  /// Nil of a function elsewhere.
  package var processes: Processes?

  package init() {}
}

extension Dispatcher {
  /// By function, of all that are here.
  package var loads: [String: FunctionLoad] {
    let (names, pools) = state.withLock { ($0.manifests.keys, $0.pools) }
    var loads = outbox.loads.filter { names.contains($0.key) }
    for name in names {
      loads[name, default: FunctionLoad()].processes = pools[name].map { pool in
        .init(
          count: pool.processCount,
          idle: pool.idleCount,
          busy: pool.busyCount,
          queued: pool.waitingCount
        )
      }
    }
    return loads
  }
}
