import Core

/// The standard input, read with plain system calls.
enum StandardInput {
  /// The size of a read in bytes: the capacity of a pipe on Linux.
  private static let chunkSize = 64 * 1024
  /// The size in bytes of a read that is expected to find only one line.
  private static let shortSize = 4 * 1024

  /// Reads everything up to EOF.
  ///
  /// - Throws: `INVALID_ARGUMENT` as soon as the input exceeds the limit. The rest isn't read.
  static func readAll(limit: Int) throws(StatusError) -> Data {
    var input = Data()
    while let chunk = try readChunk() {
      input.append(contentsOf: chunk)
      guard input.count <= limit else {
        throw StatusError(.invalidArgument, "the event is larger than \(limit >> 20) MiB")
      }
    }
    return input
  }

  private static func readChunk(size: Int = chunkSize) throws(StatusError) -> [UInt8]? {
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
        count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        initializedCount = max(0, count)
      }
      if count > 0 { return chunk }
      if count == 0 { return nil }
      if errno == EAGAIN {
        // The parent process has made the pipe non-blocking, so wait for input.
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, -1)
        continue
      }
      guard errno == EINTR else {
        throw StatusError(.invalidArgument, "stdin can't be read: \(lastSystemError())")
      }
    }
  }

  /// The lines of stdin until EOF or SIGTERM, whichever comes first.
  ///
  /// SIGTERM only ends the wait for the next line. A line that is being handled when the signal
  /// arrives is handled to its end.
  final class Lines {
    private var buffer: LineBuffer
    private var isAtEnd = false
    private var chunkSize = shortSize

    init(limit: Int) {
      buffer = LineBuffer(limit: limit)
      Termination.watch()
    }

    /// Returns the next line without its line feed, or `nil` at the end. For a line that is too
    /// long, returns a failure.
    ///
    /// - Parameter executor: The executor that waits for input, so that it can do other work in the
    ///   meantime.
    func next(on executor: (any FunctionExecutor)?) async -> Result<Data, StatusError>? {
      while true {
        if let line = buffer.next() { return line }
        guard !isAtEnd, await Termination.waitForInput(on: executor),
          let chunk = try? StandardInput.readChunk(size: chunkSize)
        else {
          isAtEnd = true
          return Termination.isRequested ? nil : buffer.last()
        }
        chunkSize = chunk.count < chunkSize ? shortSize : StandardInput.chunkSize
        buffer.append(chunk)
      }
    }
  }
}

/// A SIGTERM handler that writes a byte to a pipe, so that poll(2) can wait for the signal.
private enum Termination {
  /// The pipe. It is created before the handler is installed, so that the handler only reads this
  /// variable.
  private static let pipeEnds: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return (-1, -1) }
    return (ends[0], ends[1])
  }()

  static func watch() {
    guard pipeEnds.read >= 0 else { return }
    signal(SIGTERM) { _ in
      var byte: UInt8 = 1
      _ = write(Termination.pipeEnds.write, &byte, 1)
    }
  }

  static var isRequested: Bool {
    var descriptor = pollfd(fd: pipeEnds.read, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Waits until stdin has input or is at its end. Returns `false` if SIGTERM arrives first.
  static func waitForInput(on executor: (any FunctionExecutor)?) async -> Bool {
    await executor?.waitForInput(on: [STDIN_FILENO, pipeEnds.read])
    while true {
      var descriptors = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: pipeEnds.read, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, 2, -1)
      if count < 0 && errno == EINTR { continue }
      return count >= 0 && descriptors[1].revents == 0
    }
  }
}
