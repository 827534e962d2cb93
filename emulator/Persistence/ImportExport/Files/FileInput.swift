package import Core

/// A file of an export, read in pieces from its beginning.
package final class FileInput {
  let path: String
  private let descriptor: Int32

  /// Opens the file.
  ///
  /// - Throws: `NOT_FOUND` or `PERMISSION_DENIED` if the file can't be opened; `INVALID_ARGUMENT`
  ///   if it isn't a regular file.
  init(path: String) throws(StatusError) {
    self.path = path
    // Without `O_NONBLOCK`, opening a pipe that has no writer would block forever.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path, "can't be read") }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw StatusError(.invalidArgument, "\(path) is not a file")
    }
  }

  deinit { close(descriptor) }

  /// Fills a buffer, and returns the number of bytes read. It is smaller than the buffer only at
  /// the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(StatusError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = Core.read(
        descriptor,
        buffer.baseAddress?.advanced(by: filled),
        buffer.count - filled
      )
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file(path, "can't be read") }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Returns the content of a small file.
  ///
  /// - Parameter mebibytes: The maximum size of the file.
  /// - Throws: `INVALID_ARGUMENT` if the file is larger.
  package static func all(
    of path: String,
    atMost mebibytes: Int = 16
  ) throws(StatusError) -> Data {
    let file = try FileInput(path: path)
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try file.fill(&piece)
      if count == 0 { return data }
      data.append(contentsOf: piece[..<count])
      guard data.count <= mebibytes << 20 else {
        throw StatusError(.invalidArgument, "\(path) is larger than \(mebibytes) MiB")
      }
    }
  }

  /// Overwrites an array from its beginning, and returns the number of bytes read.
  func fill(_ bytes: inout [UInt8]) throws(StatusError) -> Int {
    var result = Result<Int, StatusError>.success(0)
    bytes.withUnsafeMutableBytes { buffer in
      do throws(StatusError) {
        result = .success(try read(into: buffer))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}

extension StatusError {
  /// Returns an error about a file, with the system's description of `errno`.
  static func file(_ path: String, _ problem: String) -> StatusError {
    let code: StatusCode =
      switch errno {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, EROFS: .permissionDenied
      case ENOSPC, EDQUOT, EFBIG: .resourceExhausted
      default: .failedPrecondition
      }
    return StatusError(code, "\(path) \(problem): \(lastSystemError())")
  }
}
