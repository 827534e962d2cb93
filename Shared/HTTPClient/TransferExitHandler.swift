import CLibcurl
import Core
import Synchronization

/// An exit handler that makes the transfer threads stop using libcurl before the process exits.
///
/// During `exit`, OpenSSL frees its tables while other threads still run. A thread that closes a
/// TLS connection at that moment would crash the process.
enum TransferExitHandler {
  private struct State: Sendable {
    var isExiting = false
    var running: [ObjectIdentifier: TransferQueue] = [:]
  }

  /// The maximum time for which `exit` waits for the threads. They never block for long; the limit
  /// makes sure that the process ends.
  private static let timeout = Duration.seconds(1)
  private static let state = Mutex(State())

  /// Registers the exit handler. Call it once, after libcurl's initialization. Exit handlers run in
  /// reverse order, and this one must run before OpenSSL's.
  ///
  /// - Returns: `false` if the system can't register it.
  static func watch() -> Bool {
    atexit { TransferExitHandler.restThreads() } == 0
  }

  /// Registers a thread that is going to use libcurl. If the process is exiting, doesn't return.
  static func enter(_ queue: TransferQueue) {
    let isExiting = state.withLock { state in
      if !state.isExiting { state.running[ObjectIdentifier(queue)] = queue }
      return state.isExiting
    }
    if isExiting { rest(queue) }
  }

  /// Removes a thread that doesn't use libcurl any more.
  static func leave(_ queue: TransferQueue) {
    state.withLock { $0.running[ObjectIdentifier(queue)] = nil }
  }

  /// Blocks the calling thread until the process has ended. Tasks that wait for transfers aren't
  /// resumed: they would fail, and could report a second result.
  static func rest(_ queue: TransferQueue) -> Never {
    leave(queue)
    while true { pause() }
  }

  private static func restThreads() {
    let queues = state.withLock { state in
      state.isExiting = true
      // The thread that called `exit` doesn't use libcurl any more.
      state.running = state.running.filter { !$0.value.isOnThread }
      return state.running.values
    }
    for queue in queues { queue.rest() }
    let end = ContinuousClock.now.advanced(by: timeout)
    while state.withLock({ !$0.running.isEmpty }) && ContinuousClock.now < end { usleep(50) }
  }
}
