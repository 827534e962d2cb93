import Core
import Logging

/// stdout, one unbuffered line at a time.
struct StandardOutput {
  let logger: Logger

  /// Ends the process with exit code 75 if the line can't be written, as on a full disk or to a pipe
  /// without a reader: nobody would know what was done, so the event has to come again.
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
