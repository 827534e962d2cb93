import Core
import FirestoreProtos
import GRDB

/// The documents of all databases, or the changes of a part of the log, as encoded bytes.
struct StoreSnapshot {
  /// The encoded documents by path. A deleted document is `nil`.
  typealias Contents = [Data: Data?]

  /// The documents of each database, by the database's name.
  private(set) var databases: [String: Contents] = [:]
  /// The databases that were cleared. `save` first deletes all their documents from the table.
  private(set) var cleared: Set<String> = []
  /// The time of the last commit, in microseconds.
  private(set) var time: Int64

  /// Creates a snapshot without documents.
  ///
  /// - Parameter time: The time of the last commit before the changes to apply, in microseconds.
  init(time: Int64) { self.time = time }

  /// Adds a document from the table.
  mutating func add(_ content: Data, path: Data, in database: String) {
    databases[database, default: [:]][path] = .some(content)
  }

  /// Applies a batch from the log.
  mutating func apply(_ batch: ProtoJournalBatch) {
    for step in batch.steps {
      time = max(time, step.time)
      if step.clears {
        databases[step.database] = [:]
        cleared.insert(step.database)
      }
      for change in step.changes {
        databases[step.database, default: [:]][Data(change.path.utf8)] =
          .some(change.hasDocument ? change.document : nil)
      }
    }
  }

  /// Writes the snapshot's changes to the table of documents.
  func save(to database: GRDB.Database) throws {
    for name in cleared {
      try database.execute(sql: "DELETE FROM document WHERE database = ?", arguments: [name])
    }
    let upsert = try database.cachedStatement(
      sql: """
        INSERT INTO document (database, path, content, checksum) VALUES (?, ?, ?, ?)
        ON CONFLICT (database, path)
        DO UPDATE SET content = excluded.content, checksum = excluded.checksum
        """
    )
    let delete = try database.cachedStatement(
      sql: "DELETE FROM document WHERE database = ? AND path = ?"
    )
    for (name, contents) in databases {
      for (path, content) in contents {
        if let content {
          let checksum = Self.checksum(of: content, path: path, in: name)
          try upsert.execute(arguments: [name, path, content, checksum])
        } else {
          try delete.execute(arguments: [name, path])
        }
      }
    }
  }

  /// Returns the checksum of a row in the table of documents.
  static func checksum(of content: Data, path: Data, in database: String) -> Int64 {
    var checksum = Checksum()
    checksum.add(Data(database.utf8))
    checksum.add(path)
    checksum.add(content)
    return Int64(checksum.value)
  }
}
