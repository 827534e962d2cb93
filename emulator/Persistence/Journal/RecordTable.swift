import Core
import GRDB
import Store

/// The table `record`. Each row has the key and content of another component's record, and a
/// checksum.
enum RecordTable {
  /// The definition of the table. Files in format 1 don't have the table.
  static let sql = """
    -- Records beside the documents, such as the events that functions haven't had yet.
    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      content BLOB NOT NULL,
      checksum INTEGER NOT NULL
    );
    """

  static func write(_ records: [JournalRecord], to database: GRDB.Database) throws {
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO record (key, content, checksum) VALUES (?, ?, ?)
        ON CONFLICT (key)
        DO UPDATE SET content = excluded.content, checksum = excluded.checksum
        """
    )
    let delete = try database.cachedStatement(sql: "DELETE FROM record WHERE key = ?")
    for record in records {
      if let content = record.content {
        let checksum = checksum(of: content, key: record.key)
        try upsert.execute(arguments: [record.key, content, checksum])
      } else {
        try delete.execute(arguments: [record.key])
      }
    }
  }

  /// Returns the records by key.
  ///
  /// - Throws: `DATA_LOSS` if a row is damaged.
  static func read(from database: GRDB.Database, of path: String) throws -> [String: Data] {
    var records: [String: Data] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT key, content, checksum FROM record")
    while let row = try rows.next() {
      let key: String = try row.value(0, of: path)
      let content: Data = try row.value(1, of: path)
      guard try checksum(of: content, key: key) == row.value(2, of: path) else {
        throw StatusError.damaged(path, "the checksum of record \(key) is wrong")
      }
      records[key] = content
    }
    return records
  }

  private static func checksum(of content: Data, key: String) -> Int64 {
    var checksum = Checksum()
    checksum.add(Data(key.utf8))
    checksum.add(content)
    return Int64(checksum.value)
  }
}

extension JournalRecord {
  /// The approximate size of the record in the file, in bytes.
  var bytes: Int { key.utf8.count + (content?.count ?? 0) }
}
