import Core

/// The high-water mark of a journal: the number of the last acknowledged batch. It is in its own
/// file in the data folder.
///
/// If the write-ahead log was cut, emptied or removed, SQLite finds only a shorter log. The mark
/// shows that there were more batches. It is written after a batch is synced and before the batch
/// is acknowledged. The mark itself isn't synced. A killed process leaves it correct, but after a
/// power cut it may be an earlier number. In this case a loss may go unnoticed, but a loss that
/// didn't happen is never reported.
struct HighWaterMark: Sendable {
  private static let byteCount = 16

  let path: String

  init(of file: StoreFile) { path = "\(file.path)-mark" }

  /// Compares the mark with a journal, if there is a mark.
  ///
  /// - Parameter lastNumber: The number of the journal's last batch.
  /// - Throws: `DATA_LOSS` if the journal lacks acknowledged batches.
  func check(_ lastNumber: Int64, of file: StoreFile) throws(StatusError) {
    guard let mark = try read(), mark > lastNumber else { return }
    let missing = mark - lastNumber
    throw StatusError(
      .dataLoss,
      "\(file.path) lacks its last \(missing == 1 ? "group" : "\(missing) groups") of commits: "
        + "\(file.path)-wal was cut or removed, or the folder's files are from different times. "
        + "Nothing was changed: restore a copy of the whole folder, or remove \(path) to go on "
        + "without these commits"
    )
  }

  /// Reads the mark.
  ///
  /// - Returns: The number, or `nil` if there is no mark, as in a folder that an older emulator
  ///   wrote.
  private func read() throws(StatusError) -> Int64? {
    let descriptor = Core.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw unusable() }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount + 1)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw unusable() }
    let number = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self).littleEndian }
    guard count == Self.byteCount, bytes.prefix(count).elementsEqual(Self.bytes(number)) else {
      throw StatusError(
        .dataLoss,
        "\(path) is damaged, and nothing was changed: restore a copy of the whole folder, or "
          + "remove this file if you know that the others are intact"
      )
    }
    return number
  }

  /// Opens the mark for writing. Creates it if it doesn't exist.
  ///
  /// A new file is written under another name and then renamed, so that it is never incomplete.
  ///
  /// - Parameter lastNumber: The number of the journal's last batch.
  func open(_ lastNumber: Int64, in folder: DataFolder) throws(StatusError) -> Writer {
    if access(path, F_OK) != 0 {
      let new = "\(path).new"
      let writer = try writer(new, O_CREAT | O_TRUNC)
      guard writer.write(lastNumber), writer.synchronize(), rename(new, path) == 0 else {
        let error = unusable()
        unlink(new)
        throw error
      }
      try folder.synchronize()
      return writer
    }
    let writer = try writer(path, 0)
    // After a power cut, the mark may be an earlier number.
    guard writer.write(lastNumber) else { throw unusable() }
    return writer
  }

  private func writer(_ path: String, _ flags: Int32) throws(StatusError) -> Writer {
    let descriptor = Core.open(path, O_WRONLY | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { throw unusable() }
    return Writer(descriptor)
  }

  private func unusable() -> StatusError {
    StatusError(.failedPrecondition, "\(path) can't be used: \(lastSystemError())")
  }

  /// Returns the bytes of a number and its checksum.
  private static func bytes(_ number: Int64) -> [UInt8] {
    var checksum = Checksum()
    checksum.add(number)
    return [number, ~Int64(checksum.value)].flatMap { word in
      withUnsafeBytes(of: word.littleEndian, Array.init)
    }
  }

  /// The mark's file, opened for writing.
  final class Writer: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Overwrites the number in the file.
    ///
    /// - Returns: A Boolean value that indicates whether the number was written. If it is false,
    ///   the file keeps the earlier number.
    @discardableResult
    func write(_ number: Int64) -> Bool {
      let bytes = HighWaterMark.bytes(number)
      return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    fileprivate func synchronize() -> Bool { syncFile(descriptor) }
  }
}
