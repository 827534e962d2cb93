import Platform

/// stdout, one unbuffered line at a time.
struct StandardOutput {
  func print(_ line: Data) {
    writeAll(line + [0x0A], to: STDOUT_FILENO)
  }

  /// Prints a reply and ends the process with its exit code.
  func exit(with reply: FunctionReply) -> Never {
    let (line, exitCode) = reply.printable
    print(line)
    Platform.exit(exitCode.rawValue)
  }
}
