package import Core
import FirestoreModel
import FirestoreProtos
import GRDB
package import Store
import Synchronization

/// A journal in a SQLite file.
///
/// The file has a table of documents and a log of the changes that aren't in the table yet. Each
/// group of commits adds a batch to the log. The oldest batches are folded into the table of
/// documents later: their changes are applied to the table, and the batches are removed. Records
/// have their own table. They are written in the same transaction as their group of commits.
package final class SQLiteJournal: Journal {
  private struct Progress {
    /// The number of the last batch.
    var lastNumber: Int64
    /// The size of the log, in bytes.
    var logBytes: Int
    /// The approximate number of bytes written since the last checkpoint.
    var unmovedBytes = 0
    /// The locked folder, or `nil` after the journal is closed.
    var folder: DataFolder?
    /// The high-water mark, or `nil` after the journal is closed.
    var mark: HighWaterMark.Writer?
  }

  /// The limits of deferred work.
  package struct Limits: Sendable {
    /// The size of the log above which batches are folded even while commits are waiting, in bytes.
    /// If no commits are waiting, half this size is enough.
    package var logBytes = 16 << 20
    /// The approximate size of the batches that are folded at a time, in bytes.
    package var sliceBytes = 1 << 20
    /// The approximate size of SQLite's write-ahead log above which a checkpoint runs, in bytes.
    package var unmovedBytes = 4 << 20

    package init() {}
  }

  /// The size of a page in SQLite's file. SQLite writes whole pages, so a changed record costs a
  /// page.
  private static let pageBytes = 4_096
  /// The approximate bytes that a transaction writes in addition to its data.
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
  /// - Throws: `RESOURCE_EXHAUSTED` if the disk is full; `UNAVAILABLE` if the journal is closed;
  ///   `INTERNAL` for most other failures.
  package func append(_ entries: [JournalEntry]) throws(StatusError) {
    try progress.withLock { progress throws(StatusError) in
      guard let folder = progress.folder else {
        throw StatusError(.unavailable, "the emulator is shutting down and accepts no more writes")
      }
      guard folder.isThere else {
        throw StatusError(
          .internal,
          "\(folder.path) was deleted, and new writes would be lost: restart the emulator"
        )
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
      // Batches that can't be folded stay in the log, and aren't lost.
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

  /// Folds the oldest batches of the log into the table of documents.
  ///
  /// One transaction updates the table and removes the batches, so a power cut can't separate these
  /// steps.
  ///
  /// - Returns: The size of the folded batches, in bytes.
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
    // The bytes count twice: for the pages of documents, and for the freed pages of the log.
    progress.unmovedBytes += 2 * bytes + Self.transactionBytes
    return bytes
  }

  /// Runs a checkpoint, which moves pages from SQLite's write-ahead log into its file.
  private func moveIntoFile(_ mode: GRDB.Database.CheckpointMode, _ progress: inout Progress) {
    // If the checkpoint fails, try again after the same number of bytes.
    progress.unmovedBytes = 0
    try? queue.writeWithoutTransaction { _ = try $0.checkpoint(mode) }
  }
}
