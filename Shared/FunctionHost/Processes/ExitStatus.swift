/// The end of a process: the code that it returned, or the signal that ended it.
package enum ExitStatus: Sendable, Hashable {
  /// The process returned this code, 0...255.
  case exited(Int32)
  /// This signal ended the process.
  case signalled(Int32)

  /// The exit code as a shell reports it: the process's code, or 128 plus the number of the signal.
  package var code: Int32 {
    switch self {
    case .exited(let code): code
    case .signalled(let signal): 128 + signal
    }
  }

  /// Creates a status from the value that `waitpid` stored.
  ///
  /// The W… macros of sys/wait.h aren't available in Swift; Linux and macOS use the same bits.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
  }
}
