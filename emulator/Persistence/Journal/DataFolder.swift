package import Core

/// The folder of `--data`, which one process has at a time.
///
/// The lock ends with the process, however that ends.
package final class DataFolder: Sendable {
  package let path: String
  private let lock: Int32

  /// Makes the folder if it isn't there, for its owner alone.
  ///
  /// - Throws: `FAILED_PRECONDITION`, saying why the folder can't be used or who has it.
  package init(_ path: String) throws(StatusError) {
    self.path = path
    lock = try Self.takeLock(path)
  }

  deinit { close(lock) }

  /// Whether it is there still: a folder can be deleted under whoever has it, and takes writes as
  /// before.
  var isThere: Bool {
    var status = stat()
    return fstat(lock, &status) == 0 && status.st_nlink > 0
  }

  /// Makes the files that came or went in the folder survive a power cut.
  func synchronize() throws(StatusError) {
    guard syncFolder(path) else { throw Self.unusable(path) }
  }

  /// - Returns: the descriptor that holds the lock, which has this process's id in it.
  private static func takeLock(_ path: String) throws(StatusError) -> Int32 {
    if mkdir(path, 0o700) == 0 {
      // Or a power cut might take the folder, with all that is synced in it.
      guard syncFolder("\(path)/..") else {
        let error = unusable(path)
        rmdir(path)
        throw error
      }
    } else if errno != EEXIST {
      throw unusable(path)
    }
    let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw unusable(path) }
    let error: StatusError
    if !lockFile(lock) {
      error = StatusError(
        .failedPrecondition,
        "\(path) is in use by the emulator with process id \(content(of: lock)): end that one, "
          + "or name another folder"
      )
    } else if ftruncate(lock, 0) == 0, writeAll("\(getpid())\n".utf8, to: lock) {
      return lock
    } else {
      error = unusable(path)
    }
    close(lock)
    throw error
  }

  private static func unusable(_ path: String) -> StatusError {
    StatusError(.failedPrecondition, "\(path) can't be used for data: \(lastSystemError())")
  }

  /// A process id, as whoever has the lock wrote it.
  private static func content(of descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let digits = buffer.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
    return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
  }
}
