import CLibcurl
import Core
import Synchronization

/// Keeps the transfer threads out of the way when the process exits.
///
/// `exit` lets OpenSSL free its tables while other threads still run; a thread that is just closing
/// a TLS connection would crash the process then. So each thread comes to rest before that.
enum TransferExitHandler {
  private struct State: Sendable {
    var isExiting = false
    var running: [ObjectIdentifier: TransferQueue] = [:]
  }

  /// How long `exit` waits for the threads at most. They never block for long, but a process must
  /// end.
  private static let patience = Duration.seconds(1)
  private static let state = Mutex(State())

  /// Watches the process's exit. Call it once, after libcurl's preparation: exit handlers run in
  /// reverse order, and this one must come before OpenSSL's.
  static func watch() -> Bool {
    atexit { TransferExitHandler.restThreads() } == 0
  }

  /// Announces a thread that is going to use libcurl. It doesn't return when it is too late.
  static func enter(_ queue: TransferQueue) {
    let isExiting = state.withLock { state in
      if !state.isExiting { state.running[ObjectIdentifier(queue)] = queue }
      return state.isExiting
    }
    if isExiting { rest(queue) }
  }

  /// The thread has used libcurl for the last time.
  static func leave(_ queue: TransferQueue) {
    state.withLock { $0.running[ObjectIdentifier(queue)] = nil }
  }

  /// Lets the calling thread sleep until the process is gone. What it holds stays as it is: to
  /// fail the waiting tasks now could make them report a second outcome.
  static func rest(_ queue: TransferQueue) -> Never {
    leave(queue)
    while true { pause() }
  }

  private static func restThreads() {
    let queues = state.withLock { state in
      state.isExiting = true
      // A thread that ends the process itself is at rest.
      state.running = state.running.filter { !$0.value.isOnThread }
      return state.running.values
    }
    for queue in queues { queue.rest() }
    let end = ContinuousClock.now.advanced(by: patience)
    while state.withLock({ !$0.running.isEmpty }) && ContinuousClock.now < end { usleep(50) }
  }
}
