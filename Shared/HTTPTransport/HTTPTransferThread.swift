import Platform

/// A thread of its own for the transfer loop.
enum HTTPTransferThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `work` on a new thread.
  ///
  /// - Returns: false when the system has no thread left.
  static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let argument = Unmanaged.passRetained(Work(work))
    let result = pthread_create(
      &thread,
      nil,
      { argument in
        pthread_detach(pthread_self())
        HTTPTransferThread.leaveSignalsToOthers()
        HTTPTransferThread.run(argument)
        return nil
      },
      argument.toOpaque()
    )
    if result != 0 { argument.release() }
    return result == 0
  }

  /// The pointer's optionality differs between the platforms' `pthread_create`.
  private static func run(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
  }

  /// The process's signals are for its other threads. And as libcurl is told not to touch signals,
  /// a write to a closed connection would otherwise end the process with SIGPIPE.
  private static func leaveSignalsToOthers() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}
