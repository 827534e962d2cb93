import Core
import Logging

/// The standard output, written one unbuffered line at a time.
struct StandardOutput {
  let logger: Logger

  /// Prints a line, or ends the process with exit code 75 if it can't be written.
  ///
  /// This happens on a full disk, or with a pipe whose reader is closed. The result is then unknown
  /// to anybody, so the event has to be delivered again.
  func print(_ line: Data) {
    guard !writeAll(line + [0x0A], to: STDOUT_FILENO) else { return }
    let reason = lastSystemError()
    logger.error("stdout can't be written", metadata: ["error": "\(reason)"])
    Core.exit(ExitCode.tryAgain.rawValue)
  }

  /// Prints a reply and ends the process with its exit code.
  func exit(with reply: FunctionReply) -> Never {
    let (line, exitCode) = reply.printable
    print(line)
    Core.exit(exitCode.rawValue)
  }
}
