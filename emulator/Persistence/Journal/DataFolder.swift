package import Core

/// The folder that `--data` names. Only one process at a time can use it.
///
/// The folder is locked. The system releases the lock when the process ends, even after a crash.
package final class DataFolder: Sendable {
  package let path: String
  /// The ID of this run, which has locked the folder.
  package let run: String
  /// The ID of the run that locked the folder before, or `nil` if there was none. Its emulator has
  /// ended.
  package let previousRun: String?
  private let lock: Int32

  /// Locks the folder. If it doesn't exist, creates it first, with access for its owner only.
  ///
  /// - Throws: `FAILED_PRECONDITION` if another process has locked the folder, or if the folder
  ///   can't be used.
  package init(_ path: String) throws(StatusError) {
    self.path = path
    run = UUID().uuidString
    (lock, previousRun) = try Self.takeLock(path, for: run)
  }

  deinit { close(lock) }

  /// A Boolean value that indicates whether the folder still exists.
  ///
  /// Writes to open files don't fail after their folder is deleted, so the deletion has to be
  /// detected here.
  var isThere: Bool {
    var status = stat()
    return fstat(lock, &status) == 0 && status.st_nlink > 0
  }

  /// Syncs the entries of the folder, so that created and removed files survive a power cut.
  func synchronize() throws(StatusError) {
    guard syncFolder(path) else { throw Self.unusable(path) }
  }

  /// Locks the folder at a path.
  ///
  /// - Returns: The descriptor of the lock file, which contains the process ID and the run; and the
  ///   run that the file contained before. The lock lasts until the descriptor is closed.
  private static func takeLock(
    _ path: String,
    for run: String
  ) throws(StatusError) -> (lock: Int32, previousRun: String?) {
    if mkdir(path, 0o700) == 0 {
      // Without this sync, a power cut could lose the folder and everything that was synced in it.
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
    let content = content(of: lock)
    if !lockFile(lock) {
      error = StatusError(
        .failedPrecondition,
        "\(path) is in use by the emulator with process id \(content.process): end that process, "
          + "or name another folder"
      )
    } else if ftruncate(lock, 0) == 0, writeAll("\(getpid())\n\(run)\n".utf8, to: lock) {
      return (lock, content.run)
    } else {
      error = unusable(path)
    }
    close(lock)
    throw error
  }

  private static func unusable(_ path: String) -> StatusError {
    StatusError(.failedPrecondition, "\(path) can't be used for data: \(lastSystemError())")
  }

  /// Returns the process ID and the run in the lock file, which the process with the lock has
  /// written.
  private static func content(of descriptor: Int32) -> (process: String, run: String?) {
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let lines = buffer.prefix(max(0, count)).split(separator: 0x0A)
    let digits = (lines.first ?? []).prefix { (0x30...0x39).contains($0) }
    let run = lines.dropFirst().first.flatMap {
      UUID(uuidString: String(decoding: $0, as: UTF8.self))
    }
    return (
      digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self), run?.uuidString
    )
  }
}
