import Core
import GRDB

/// The SQLite file of a data folder: how it is made, known again and opened.
struct StoreFile {
  /// "wcfs" in the file's header: it is ours.
  private static let applicationID: Int32 = 0x7763_6673
  /// What version of the tables this code writes. It reads older ones: format 1 had no records.
  private static let format: Int32 = 2

  let path: String

  init(in folder: DataFolder) { path = "\(folder.path)/firestore.sqlite" }

  // MARK: Making

  /// Makes the file if there is none: elsewhere first, so that it is there as a whole or not at all.
  func makeIfMissing(in folder: DataFolder) throws(StatusError) {
    guard access(path, F_OK) != 0 else { return }
    // They belong to a file that is gone, and would be taken for the new one's.
    for suffix in ["-wal", "-mark"] where access(path + suffix, F_OK) == 0 {
      throw StatusError(
        .failedPrecondition,
        "\(path)\(suffix) is there without \(path): bring that back, or name another folder"
      )
    }
    let new = "\(path).new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(new + suffix) }
    do {
      let queue = try DatabaseQueue(path: new)
      try queue.write { database in try Self.makeTables(database) }
      // Stays in the file's header.
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.close()
    } catch {
      throw StatusError(error, of: new)
    }
    guard chmod(new, 0o600) == 0, rename(new, path) == 0 else {
      throw StatusError(.failedPrecondition, "\(path) can't be made: \(lastSystemError())")
    }
    try folder.synchronize()
  }

  private static func makeTables(_ database: GRDB.Database) throws {
    try database.execute(
      sql: """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(format);

        -- One row. `folded` is the number of the last batch that the documents have; `time` the
        -- last one of its commits, in microseconds.
        CREATE TABLE state (
          folded INTEGER NOT NULL,
          time INTEGER NOT NULL,
          checksum INTEGER NOT NULL
        );

        CREATE TABLE document (
          id INTEGER PRIMARY KEY,
          database TEXT NOT NULL,
          path BLOB NOT NULL,
          content BLOB NOT NULL,
          checksum INTEGER NOT NULL,
          UNIQUE (database, path)
        );

        -- What came after that, without a gap in the numbers.
        CREATE TABLE log (
          number INTEGER PRIMARY KEY,
          batch BLOB NOT NULL,
          checksum INTEGER NOT NULL
        );

        \(RecordTable.sql)
        """
    )
    try FoldedState(folded: 0, time: 0).save(to: database)
  }

  // MARK: Opening

  /// Looks at the file's header, without SQLite, which might change a file that isn't ours.
  ///
  /// - Throws: for a file that is no SQLite database, is somebody else's, or has a newer format.
  func checkHeader() throws(StatusError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StatusError(.failedPrecondition, "\(path) can't be read: \(lastSystemError())")
    }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    guard pread(descriptor, &header, header.count, 0) == header.count,
      header.starts(with: "SQLite format 3\0".utf8),
      header.bigEndianWord(at: 68) == Self.applicationID
    else {
      throw StatusError(
        .failedPrecondition,
        "\(path) is not an emulator's: it is left as it is; name another folder"
      )
    }
    try check(format: Int32(bitPattern: header.bigEndianWord(at: 60)))
  }

  private func check(format: Int32) throws(StatusError) {
    guard (1...Self.format).contains(format) else {
      throw StatusError(
        .failedPrecondition,
        "\(path) has format \(format), and this emulator knows formats 1 to \(Self.format): it is "
          + "left as it is; use the emulator that made it, or another folder"
      )
    }
  }

  /// Opens the file to look at it: whatever is found, nothing changes.
  func openForReading() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // The header may be older than what is still to be moved into the file.
    try check(format: try queue.read(Self.format(of:)))
    return queue
  }

  private static func format(of database: GRDB.Database) throws -> Int32 {
    try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Whether the file is of a format that has the table of records.
  func hasRecords(_ database: GRDB.Database) throws -> Bool {
    try Self.format(of: database) >= 2
  }

  /// Opens the file for writing, so that what is committed survives a power cut.
  func openForWriting() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      // We are alone, and needn't ask for each transaction.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // On macOS a plain sync leaves data in the disk's own memory; elsewhere these do nothing.
      try database.execute(sql: "PRAGMA fullfsync = ON")
      try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
      // Left to SQLite, a commit would now and then do it while everybody waits.
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try checkSyncs($0) }
    try queue.write { database in
      guard try !hasRecords(database) else { return }
      try database.execute(sql: "\(RecordTable.sql) PRAGMA user_version = \(Self.format)")
    }
    return queue
  }

  /// - Throws: if a power cut might take what a connection has committed.
  func checkSyncs(_ database: GRDB.Database) throws {
    let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
    let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
    guard mode == "wal", synchronous == 2 else {
      throw StatusError(
        .failedPrecondition,
        "\(path): SQLite would not keep commits through a power cut (journal_mode \(mode ?? "?"), "
          + "synchronous \(synchronous ?? -1))"
      )
    }
  }
}
