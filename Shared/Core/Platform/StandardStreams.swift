import Synchronization

/// Ignores SIGPIPE, so that writing to a pipe whose reader has closed it fails, instead of ending
/// this process.
///
/// Call it once at startup. Child processes start with the default behavior.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}

/// Opens /dev/null for each closed standard stream. Otherwise the next file or connection that is
/// opened would get the stream's number, and with it data meant for the stream.
///
/// Call it once at startup. Afterwards, reading from a stdin that was closed or writing to a stdout
/// that was closed still fails. Output to a stderr that was closed is dropped.
package func keepStandardStreams() {
  // Open them in ascending order, because `open` returns the lowest free number.
  for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
    _ = open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
  }
}

/// A log on stderr that doesn't block the process for long: if stderr is a pipe that nobody reads,
/// lines that don't fit into it are dropped and counted.
package enum StandardError {
  private struct State {
    var dropped = 0
    /// A Boolean value that indicates whether only the beginning of the last line was written.
    var endsWithinLine = false
  }

  /// The maximum time in milliseconds to wait until the pipe has space. While lines are being
  /// dropped, there is no wait.
  private static let timeout: Int32 = 1_000
  /// The number of bytes that can be written without blocking when poll(2) reports space.
  private static let slice = Int(PIPE_BUF)

  private static let state = Mutex(State())

  /// Writes a line and a line feed.
  package static func write(line: some Sequence<UInt8>) {
    state.withLock { state in
      guard state.dropped == 0 || canWrite(within: 0) else {
        state.dropped += 1
        return
      }
      var bytes = ContiguousArray<UInt8>()
      if state.endsWithinLine { bytes.append(0x0A) }
      if state.dropped > 0 {
        let message = "log lines were dropped while nobody read stderr"
        bytes += Array(
          #"{"severity":"WARNING","message":"\#(message)","lines":"\#(state.dropped)"}"#.utf8
        )
        bytes.append(0x0A)
      }
      let beginning = bytes.count
      bytes += line
      bytes.append(0x0A)
      let written = write(bytes)
      if written >= beginning { state.dropped = 0 }
      if written > 0 { state.endsWithinLine = written < bytes.count && bytes[written - 1] != 0x0A }
      if written < bytes.count { state.dropped += 1 }
    }
  }

  /// Writes bytes.
  ///
  /// - Returns: The number of bytes written. If stderr can't be written at all, all bytes count as
  ///   written.
  private static func write(_ bytes: ContiguousArray<UInt8>) -> Int {
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset < raw.count, canWrite(within: timeout) {
        let count = min(slice, raw.count - offset)
        let written = Core.write(STDERR_FILENO, raw.baseAddress?.advanced(by: offset), count)
        if written > 0 {
          offset += written
        } else if written < 0, ![EINTR, EAGAIN].contains(errno) {
          return raw.count
        }
      }
      return offset
    }
  }

  private static func canWrite(within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&descriptor, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }
}
