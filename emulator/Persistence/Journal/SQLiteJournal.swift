package import Core
import FirestoreModel
import FirestoreProtos
import GRDB
package import Store
import Synchronization

/// A journal in a SQLite file.
///
/// The log grows by one batch for each group of commits. Its beginning is folded into a table of
/// documents, piece by piece. Records have a table of their own. They change in the transaction
/// that adds their commits.
package final class SQLiteJournal: Journal {
  private struct Progress {
    /// The number of the last batch.
    var lastNumber: Int64
    /// The size of the log, in bytes.
    var logBytes: Int
    /// The approximate bytes that were written since the last checkpoint.
    var unmovedBytes = 0
    /// The locked folder, or `nil` when the journal is closed.
    var folder: DataFolder?
    /// The high-water mark, or `nil` when the journal is closed.
    var mark: HighWaterMark.Writer?
  }

  /// The limits of deferred work.
  package struct Limits: Sendable {
    /// The size from which the log is folded even while commits wait.
    package var logBytes = 16 << 20
    /// The approximate size of the part that is folded at a time.
    package var sliceBytes = 1 << 20
    /// The size of SQLite's write-ahead log from which a checkpoint runs, in bytes.
    package var unmovedBytes = 4 << 20

    package init() {}
  }

  /// The cost of a record in its table, and of a transaction beside its data. SQLite writes whole
  /// pages.
  private static let pageBytes = 4_096
  private static let transactionBytes = 3 * pageBytes

  private let queue: DatabaseQueue
  private let path: String
  private let limits: Limits
  private let progress: Mutex<Progress>

  init(
    _ queue: DatabaseQueue,
    mark: HighWaterMark.Writer,
    in folder: DataFolder,
    path: String,
    limits: Limits,
    lastNumber: Int64,
    logBytes: Int
  ) {
    self.queue = queue
    self.path = path
    self.limits = limits
    progress = Mutex(
      Progress(lastNumber: lastNumber, logBytes: logBytes, folder: folder, mark: mark)
    )
  }

  /// Writes the entries in one transaction.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if the disk is full, `INTERNAL` for its other faults,
  ///   `UNAVAILABLE` once the journal is closed.
  package func append(_ entries: [JournalEntry]) throws(StatusError) {
    try progress.withLock { progress throws(StatusError) in
      guard let folder = progress.folder else {
        throw StatusError(.unavailable, "the emulator is shutting down and takes no more writes")
      }
      guard folder.isThere else {
        throw StatusError(.internal, "\(folder.path) was deleted: new writes would be lost")
      }
      do {
        let batches = try ProtoJournalBatch.batches(of: entries)
        let records = entries.compactMap { entry in
          if case .record(let record) = entry { record } else { nil }
        }
        let first = progress.lastNumber + 1
        try queue.write { database in
          for (number, batch) in zip(first..., batches) {
            try LogTable.append(batch, number: number, to: database)
          }
          try RecordTable.write(records, to: database)
        }
        let bytes = batches.reduce(0) { $0 + LogTable.bytes(of: $1) }
        progress.lastNumber += Int64(batches.count)
        progress.mark?.write(progress.lastNumber)
        progress.logBytes += bytes
        progress.unmovedBytes +=
          records.reduce(bytes) { $0 + $1.bytes + Self.pageBytes } + Self.transactionBytes
      } catch {
        throw StatusError(error, of: path)
      }
    }
  }

  package func tidy(isIdle: Bool) -> Bool {
    progress.withLock { progress in
      guard progress.folder != nil else { return false }
      if progress.unmovedBytes > limits.unmovedBytes { moveIntoFile(.passive, &progress) }
      guard progress.logBytes > limits.logBytes / (isIdle ? 2 : 1) else { return false }
      // A part that couldn't be folded stays in the log, where it is just as safe.
      let bytes = try? fold(&progress)
      return bytes != nil && isIdle
    }
  }

  package func close() {
    progress.withLock { progress in
      guard progress.folder != nil else { return }
      while let bytes = try? fold(&progress), bytes > 0 {}
      moveIntoFile(.truncate, &progress)
      try? queue.close()
      progress.folder = nil
      progress.mark = nil
    }
  }

  /// Folds the beginning of the log into the table of documents.
  ///
  /// One transaction does both steps, so a power cut at any moment does no harm.
  ///
  /// - Returns: The size of that beginning, in bytes.
  private func fold(_ progress: inout Progress) throws -> Int {
    guard progress.logBytes > 0 else { return 0 }
    let bytes = try queue.write { database in
      var state = try FoldedState.load(from: database, of: path)
      var slice = StoreSnapshot(time: state.time)
      var bytes = 0
      try LogTable.read(after: state.folded, from: database, of: path) { entry in
        slice.apply(entry.batch)
        state.folded = entry.number
        bytes += entry.bytes
        return bytes < limits.sliceBytes
      }
      state.time = slice.time
      try slice.save(to: database)
      try LogTable.remove(through: state.folded, from: database)
      try state.save(to: database)
      return bytes
    }
    progress.logBytes -= bytes
    // The bytes are written twice: as documents, and as freed pages of the log.
    progress.unmovedBytes += 2 * bytes + Self.transactionBytes
    return bytes
  }

  /// Runs a checkpoint, which moves pages from SQLite's write-ahead log into its file.
  private func moveIntoFile(_ mode: GRDB.Database.CheckpointMode, _ progress: inout Progress) {
    // If it fails now, the next attempt follows after as many bytes again.
    progress.unmovedBytes = 0
    try? queue.writeWithoutTransaction { _ = try $0.checkpoint(mode) }
  }
}
