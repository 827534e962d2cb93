import Core
import GRDB

/// The SQLite file of a data folder, which this type creates, checks and opens.
struct StoreFile {
  /// The application ID in the header of the emulator's files: "wcfs" in ASCII.
  private static let applicationID: Int32 = 0x7763_6673
  /// The format of the tables in files that the emulator writes. It can also read format 1, which
  /// has no records.
  private static let format: Int32 = 2

  let path: String

  init(in folder: DataFolder) { path = "\(folder.path)/firestore.sqlite" }

  // MARK: Creating

  /// Creates the file if it doesn't exist.
  ///
  /// The file is written under another name and then renamed, so that it is never incomplete.
  func makeIfMissing(in folder: DataFolder) throws(StatusError) {
    guard access(path, F_OK) != 0 else { return }
    // These files belong to a deleted SQLite file, and SQLite would use them with the new one.
    for suffix in ["-wal", "-mark"] where access(path + suffix, F_OK) == 0 {
      throw StatusError(
        .failedPrecondition,
        "\(path)\(suffix) exists, but \(path) doesn't: restore \(path), or name another folder"
      )
    }
    let new = "\(path).new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(new + suffix) }
    do {
      let queue = try DatabaseQueue(path: new)
      try queue.write { database in try Self.makeTables(database) }
      // SQLite stores the mode in the file's header.
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      try queue.close()
    } catch {
      throw StatusError(error, of: new)
    }
    guard chmod(new, 0o600) == 0, rename(new, path) == 0 else {
      throw StatusError(.failedPrecondition, "\(path) can't be created: \(lastSystemError())")
    }
    try folder.synchronize()
  }

  private static func makeTables(_ database: GRDB.Database) throws {
    try database.execute(
      sql: """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(format);

        -- One row. `folded` is the number of the last batch in the documents; `time` is the time
        -- of its last commit, in microseconds.
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

        -- The batches after that, without a gap in the numbers.
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

  /// Checks the file's header. It doesn't use SQLite, which might change another program's file.
  ///
  /// - Throws: An error if the file isn't an SQLite database, belongs to another program, or has an
  ///   unknown format.
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
        "\(path) is not a file of this emulator and was not changed: name another folder"
      )
    }
    try check(format: Int32(bitPattern: header.bigEndianWord(at: 60)))
  }

  private func check(format: Int32) throws(StatusError) {
    guard (1...Self.format).contains(format) else {
      throw StatusError(
        .failedPrecondition,
        "\(path) has format \(format), but this emulator reads only formats 1 to \(Self.format): "
          + "use the emulator that made it, or name another folder"
      )
    }
  }

  /// Opens the file read-only, so that it isn't changed.
  func openForReading() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // The write-ahead log may contain a newer format number than the header.
    try check(format: try queue.read(Self.format(of:)))
    return queue
  }

  private static func format(of database: GRDB.Database) throws -> Int32 {
    try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Returns whether the file has the table of records.
  func hasRecords(_ database: GRDB.Database) throws -> Bool {
    try Self.format(of: database) >= 2
  }

  /// Opens the file for writing, with the settings under which commits survive a power cut.
  func openForWriting() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      // No other process uses the file, so transactions needn't lock it.
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // On macOS, a normal sync leaves data in the disk's cache. On other systems, these settings
      // have no effect.
      try database.execute(sql: "PRAGMA fullfsync = ON")
      try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
      // By default, SQLite sometimes runs a checkpoint during a commit, and all clients would wait.
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

  /// Checks that commits through a connection survive a power cut.
  ///
  /// - Throws: `FAILED_PRECONDITION` if commits might not survive it.
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
