import Core

/// A file that an option names: a regular file, a pipe such as `/dev/stdin`, or a named pipe.
enum InputFile {
  /// The maximum size in bytes.
  private static let limit = 64 << 20
  /// The size of a read in bytes: the capacity of a pipe on Linux.
  private static let chunkSize = 64 << 10

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - what: The option and its value, for messages.
  /// - Returns: The content, or `nil` if there is no such file.
  /// - Throws: `INVALID_ARGUMENT` with the system's reason if the file can't be read, or if it is too
  ///   large.
  static func read(_ path: String, what: String) throws(StatusError) -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // No file can have a name that is too long.
      guard errno == ENOENT || errno == ENAMETOOLONG else { throw failure(of: what) }
      return nil
    }
    defer { close(descriptor) }
    var content = Data()
    while true {
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, initializedCount in
        count = Core.read(descriptor, buffer.baseAddress, buffer.count)
        initializedCount = max(0, count)
      }
      if count == 0 { return content }
      if count < 0 {
        if errno == EINTR { continue }
        guard errno == EAGAIN else { throw failure(of: what) }
        // Another process has made the pipe non-blocking.
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, -1)
        continue
      }
      content.append(contentsOf: chunk)
      guard content.count <= limit else {
        throw StatusError(.invalidArgument, "\(what) is larger than \(limit >> 20) MiB")
      }
    }
  }

  private static func failure(of what: String) -> StatusError {
    StatusError(.invalidArgument, "\(what) can't be read: \(lastSystemError())")
  }
}
