package import Core

/// A file that is written atomically: completely or not at all.
package struct AtomicFile: Sendable {
  private let path: String

  package init(path: String) { self.path = path }

  /// Writes the content to a temporary file, syncs it, and renames or links it to the path.
  ///
  /// - Parameter replacing: a Boolean value that indicates whether an existing file is replaced.
  /// - Returns: `false` if the file exists and `replacing` is `false`.
  /// - Throws: `RESOURCE_EXHAUSTED` with the file's path if the disk is full.
  @discardableResult
  package func write(_ content: Data, replacing: Bool = true) throws(StatusError) -> Bool {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    let isWritten = writeAll(content, to: descriptor) && syncFile(descriptor)
    let error = isWritten ? nil : failure()
    close(descriptor)
    if isWritten, replacing, rename(temporary, path) == 0 { return true }
    if isWritten, !replacing {
      let isThere = link(temporary, path) != 0
      if !isThere || errno == EEXIST {
        unlink(temporary)
        return !isThere
      }
    }
    let reason = error ?? failure()
    unlink(temporary)
    throw reason
  }

  private func failure() -> StatusError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(errno)
    return StatusError(
      isFull ? .resourceExhausted : .failedPrecondition,
      "\(path) can't be written: \(lastSystemError())"
    )
  }
}
