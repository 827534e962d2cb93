import Core

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

extension ExitStatus: CustomStringConvertible {
  /// The end of a sentence about the process, such as "exited with code 1" or "crashed with signal
  /// SIGSEGV".
  package var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let signal):
      "\(Self.endings.contains(signal) ? "was ended by" : "crashed with") signal "
        + (Self.names[signal] ?? "\(signal)")
    }
  }

  /// The signals that other processes send to end a process.
  private static let endings: Set<Int32> = [SIGHUP, SIGINT, SIGKILL, SIGTERM]

  private static let names: [Int32: String] = [
    SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP",
    SIGILL: "SIGILL", SIGINT: "SIGINT", SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT",
    SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP",
    SIGXCPU: "SIGXCPU",
    SIGXFSZ: "SIGXFSZ",
  ]
}
