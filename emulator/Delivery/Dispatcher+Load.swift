import FunctionHost
import Synchronization

/// The current load of a function.
package struct FunctionLoad: Sendable {
  /// The processes of a function that runs on this machine.
  package struct Processes: Sendable, Encodable {
    /// The number of processes, idle or busy.
    package var count: Int
    package var idle: Int
    /// The number of running events and calls.
    package var busy: Int
    /// The number of events and calls that wait for a process.
    package var queued: Int
  }

  /// The number of deliveries that wait for an attempt.
  package var waiting = 0
  /// The number of deliveries with a running attempt.
  package var running = 0
  /// The processes, or `nil` for a function that runs elsewhere.
  package var processes: Processes?

  package init() {}
}

extension Dispatcher {
  /// The loads of all present functions, by the function's name.
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
