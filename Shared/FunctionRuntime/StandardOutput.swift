import Core
import Logging

/// The standard output. It is written line by line, without a buffer.
struct StandardOutput {
  let logger: Logger

  /// Prints a line. If the line can't be written, ends the process with exit code 75.
  ///
  /// Writing fails if the disk is full, or if stdout is a pipe whose reader has closed it. In that
  /// case the dispatcher doesn't get the result, so it must deliver the event again.
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
