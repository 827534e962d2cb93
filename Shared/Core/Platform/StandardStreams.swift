import Synchronization

/// Makes a write to a pipe without a reader fail instead of ending this process.
///
/// Call it once at start. Children get the default back.
package func ignoreBrokenPipes() {
  signal(SIGPIPE, SIG_IGN)
}

/// Keeps the numbers of standard streams that are closed: the next file or connection would get one,
/// and with it what is meant for the stream.
///
/// Call it once at start. A stdin so kept can't be read and a stdout can't be written, as before;
/// what goes to stderr is dropped.
package func keepStandardStreams() {
  // Ascending: what is opened gets the lowest number that is free.
  for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
    _ = open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
  }
}

/// stderr as a log, which stops nobody: lines that don't fit into a pipe that nobody reads are
/// dropped, and counted.
package enum StandardError {
  private struct State {
    var dropped = 0
    /// A Boolean value that indicates whether a line was dropped after its beginning was written.
    var endsWithinLine = false
  }

  /// The time that a reader has to make room, in milliseconds; none once it took longer.
  private static let patience: Int32 = 1_000
  /// The bytes that fit wherever poll(2) says that something does.
  private static let slice = Int(PIPE_BUF)

  private static let state = Mutex(State())

  /// Writes a line; its end is added.
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

  /// - Returns: how many bytes were written. Where nothing can be, all of them.
  private static func write(_ bytes: ContiguousArray<UInt8>) -> Int {
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset < raw.count, canWrite(within: patience) {
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
