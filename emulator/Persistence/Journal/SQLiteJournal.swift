package import Core
import FirestoreModel
import FirestoreProtos
import GRDB
package import Store
import Synchronization

/// A journal in a SQLite file: a log that grows by a batch for each group of commits, and a table
/// of documents into which the log is folded piece by piece. Records are in a table of their own,
/// changed in the transaction that adds the commits they belong to.
package final class SQLiteJournal: Journal {
  private struct Progress {
    /// The number of the last batch.
    var lastNumber: Int64
    /// What the log weighs.
    var logBytes: Int
    /// About what was written since the last checkpoint.
    var unmovedBytes = 0
    /// Whose lock is held; nil when the journal is closed.
    var folder: DataFolder?
    /// nil when the journal is closed.
    var mark: HighWaterMark.Writer?
  }

  /// How much there may be of what is to be done later.
  package struct Limits: Sendable {
    /// Beyond that the log is folded, though somebody may wait.
    package var logBytes = 16 << 20
    /// About how much of the log is folded at a time.
    package var sliceBytes = 1 << 20
    /// Beyond that what SQLite has written is moved into its file.
    package var unmovedBytes = 4 << 20

    package init() {}
  }

  /// Pages are written as a whole: what a record costs in the table, and what a transaction writes
  /// besides its data.
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

  /// - Throws: `RESOURCE_EXHAUSTED` if the disk is full, `INTERNAL` for its other faults,
  ///   `UNAVAILABLE` once the journal is closed.
  package func append(_ entries: [JournalEntry]) throws(StatusError) {
    try progress.withLock { progress throws(StatusError) in
      guard let folder = progress.folder else {
        throw StatusError(.unavailable, "the emulator is ending, and nothing is written any more")
      }
      guard folder.isThere else {
        throw StatusError(.internal, "\(folder.path) was deleted: what is written would be lost")
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
      // What couldn't be folded stays in the log, which is as good.
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

  /// Brings the beginning of the log into the table of documents: both or neither, so that a power
  /// cut at any moment does no harm.
  ///
  /// - Returns: what that beginning weighed.
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
    // Once as documents, once as pages of the log that are free now.
    progress.unmovedBytes += 2 * bytes + Self.transactionBytes
    return bytes
  }

  /// Moves what SQLite has written from its log of pages into the file.
  private func moveIntoFile(_ mode: GRDB.Database.CheckpointMode, _ progress: inout Progress) {
    // If that fails now, it is tried again after as much more.
    progress.unmovedBytes = 0
    try? queue.writeWithoutTransaction { _ = try $0.checkpoint(mode) }
  }
}
