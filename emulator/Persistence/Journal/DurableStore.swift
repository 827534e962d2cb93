package import Core
import FirestoreModel
import FirestoreProtos
import GRDB
package import Store

/// The contents restored from a data folder, and the journal that records further changes.
package struct DurableStore: Sendable {
  package let contents: StoreContents
  package let journal: SQLiteJournal
  package let folder: DataFolder

  /// Opens the SQLite file of a folder. Creates the file if it doesn't exist.
  ///
  /// - Throws: An error that names the file, if the file can't be used. In this case the file isn't
  ///   changed.
  package init(
    in folder: DataFolder,
    limits: SQLiteJournal.Limits = .init()
  ) throws(StatusError) {
    self.folder = folder
    let file = StoreFile(in: folder)
    try file.makeIfMissing(in: folder)
    try file.checkHeader()
    try WriteAheadLog(path: "\(file.path)-wal").check()
    do {
      let found = try Self.read(file)
      contents = try Self.decode(found, of: file.path)
      let mark = HighWaterMark(of: file)
      try mark.check(found.lastNumber, of: file)
      journal = SQLiteJournal(
        try file.openForWriting(),
        mark: try mark.open(found.lastNumber, in: folder),
        in: folder,
        path: file.path,
        limits: limits,
        lastNumber: found.lastNumber,
        logBytes: found.logBytes
      )
    } catch {
      throw StatusError(error, of: file.path)
    }
  }

  private struct Found {
    var snapshot: StoreSnapshot
    var lastNumber: Int64
    var logBytes: Int
    var records: [String: Data]
  }

  private static func read(_ file: StoreFile) throws -> Found {
    let queue = try file.openForReading()
    let found = try queue.read { database in
      if let fault = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), fault != "ok" {
        throw StatusError.damaged(file.path, fault)
      }
      let state = try FoldedState.load(from: database, of: file.path)
      var found = Found(
        snapshot: StoreSnapshot(time: state.time),
        lastNumber: state.folded,
        logBytes: 0,
        records: try file.hasRecords(database)
          ? RecordTable.read(from: database, of: file.path) : [:]
      )
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT database, path, content, checksum FROM document"
      )
      while let row = try rows.next() {
        let name: String = try row.value(0, of: file.path)
        let path: Data = try row.value(1, of: file.path)
        let content: Data = try row.value(2, of: file.path)
        let checksum: Int64 = try row.value(3, of: file.path)
        guard StoreSnapshot.checksum(of: content, path: path, in: name) == checksum else {
          throw StatusError.damaged(file.path, "the checksum of a document is wrong")
        }
        found.snapshot.add(content, path: path, in: name)
      }
      try LogTable.read(after: state.folded, from: database, of: file.path) { entry in
        found.snapshot.apply(entry.batch)
        found.lastNumber = entry.number
        found.logBytes += entry.bytes
        return true
      }
      return found
    }
    try queue.close()
    return found
  }

  private static func decode(_ found: Found, of path: String) throws -> StoreContents {
    var documents: [DatabaseName: [Document]] = [:]
    for (database, contents) in found.snapshot.databases {
      let name = try DatabaseName(database)
      documents[name] = try contents.compactMap { path, content in
        try content.map { try StoredDocument.decode($0, path: path, in: name) }
      }
    }
    return StoreContents(
      documents: documents,
      lastCommitTime: Timestamp(microseconds: found.snapshot.time),
      records: found.records
    )
  }
}
