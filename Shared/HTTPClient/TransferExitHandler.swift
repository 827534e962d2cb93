import CLibcurl
import Core
import Synchronization

/// An exit handler that stops the transfer threads before the process exits.
///
/// `exit` makes OpenSSL free its tables while other threads still run. A thread that is closing a
/// TLS connection at that moment would crash the process.
enum TransferExitHandler {
  private struct State: Sendable {
    var isExiting = false
    var running: [ObjectIdentifier: TransferQueue] = [:]
  }

  /// The maximum time that `exit` waits for the threads. They never block for long, but a process
  /// must end.
  private static let timeout = Duration.seconds(1)
  private static let state = Mutex(State())

  /// Registers the exit handler. Call it once, after libcurl's initialization: exit handlers run in
  /// reverse order, and this one must run before OpenSSL's.
  static func watch() -> Bool {
    atexit { TransferExitHandler.restThreads() } == 0
  }

  /// Registers a thread that is going to use libcurl. Doesn't return if the process is exiting.
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

  /// Blocks the calling thread until the process has ended. Waiting tasks aren't resumed: if they
  /// failed now, they could report a second outcome.
  static func rest(_ queue: TransferQueue) -> Never {
    leave(queue)
    while true { pause() }
  }

  private static func restThreads() {
    let queues = state.withLock { state in
      state.isExiting = true
      // A thread that called `exit` itself uses libcurl no more.
      state.running = state.running.filter { !$0.value.isOnThread }
      return state.running.values
    }
    for queue in queues { queue.rest() }
    let end = ContinuousClock.now.advanced(by: timeout)
    while state.withLock({ !$0.running.isEmpty }) && ContinuousClock.now < end { usleep(50) }
  }
}
