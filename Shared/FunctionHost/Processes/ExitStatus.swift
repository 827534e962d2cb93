/// How a process ended.
package enum ExitStatus: Sendable, Hashable {
  /// It returned this code, 0...255.
  case exited(Int32)
  /// This signal ended it.
  case signalled(Int32)

  /// The one number a shell shows: the exit code, or 128 plus the signal.
  package var code: Int32 {
    switch self {
    case .exited(let code): code
    case .signalled(let signal): 128 + signal
    }
  }

  /// Reads what `waitpid` stored for a process that ended.
  ///
  /// By hand, because the W… macros of sys/wait.h don't reach Swift; Linux and macOS agree.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }
}
