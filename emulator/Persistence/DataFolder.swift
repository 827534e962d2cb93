import Platform
package import RPCStatus

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
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.unusable(path) }
    let lockPath = "\(path)/lock"
    lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw Self.unusable(path) }
    guard lockFile(lock) else {
      let holder = Self.content(of: lock)
      close(lock)
      throw StatusError(
        .failedPrecondition,
        "\(path) is in use by the emulator with process id \(holder): end that one, or name "
          + "another folder"
      )
    }
    guard ftruncate(lock, 0) == 0, writeAll("\(getpid())\n".utf8, to: lock) else {
      defer { close(lock) }
      throw Self.unusable(path)
    }
  }

  deinit { close(lock) }

  /// Makes the files that came or went in the folder survive a power cut.
  func synchronize() throws(StatusError) {
    let folder = open(path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.unusable(path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw Self.unusable(path) }
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
