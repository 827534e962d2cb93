import Platform

/// stdout, one unbuffered line at a time.
struct StandardOutput {
  /// Ends the process with exit code 75 if the line can't be written (a full disk): nobody would
  /// know what was done, so the event has to come again.
  func print(_ line: Data) {
    guard !writeAll(line + [0x0A], to: STDOUT_FILENO) else { return }
    let reason = "stdout can't be written: \(lastSystemError())\n"
    writeAll(reason.utf8, to: STDERR_FILENO)
    Platform.exit(ExitCode.tryAgain.rawValue)
  }

  /// Prints a reply and ends the process with its exit code.
  func exit(with reply: FunctionReply) -> Never {
    let (line, exitCode) = reply.printable
    print(line)
    Platform.exit(exitCode.rawValue)
  }
}
