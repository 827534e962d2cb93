import Core
import FirestoreProtos
import GRDB
import SwiftProtobuf

/// The table `log`: batches with consecutive numbers, and a checksum for each.
enum LogTable {
  struct Entry {
    let number: Int64
    let batch: ProtoJournalBatch
    let bytes: Int
  }

  /// The approximate bytes of a row beside its batch.
  private static let rowBytes = 32

  /// Returns the approximate bytes of a batch in the table.
  static func bytes(of batch: Data) -> Int { batch.count + rowBytes }

  static func append(_ batch: Data, number: Int64, to database: GRDB.Database) throws {
    try database.cachedStatement(sql: "INSERT INTO log (number, batch, checksum) VALUES (?, ?, ?)")
      .execute(arguments: [number, batch, checksum(of: batch, number: number)])
  }

  /// Reads batches in order until `body` returns false.
  ///
  /// - Parameter folded: The number before the first batch.
  /// - Throws: `DATA_LOSS` for a batch that is missing or damaged.
  static func read(
    after folded: Int64,
    from database: GRDB.Database,
    of path: String,
    _ body: (Entry) throws -> Bool
  ) throws {
    var expected = folded + 1
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT number, batch, checksum FROM log ORDER BY number"
    )
    while let row = try rows.next() {
      let number: Int64 = try row.value(0, of: path)
      let data: Data = try row.value(1, of: path)
      guard number == expected else {
        throw StatusError.damaged(path, "batch \(expected) is missing")
      }
      guard try checksum(of: data, number: number) == row.value(2, of: path),
        let batch = try? ProtoJournalBatch(serializedBytes: data)
      else { throw StatusError.damaged(path, "the checksum of batch \(number) is wrong") }
      expected += 1
      guard try body(Entry(number: number, batch: batch, bytes: bytes(of: data))) else { return }
    }
  }

  static func remove(through number: Int64, from database: GRDB.Database) throws {
    try database.execute(sql: "DELETE FROM log WHERE number <= ?", arguments: [number])
  }

  private static func checksum(of batch: Data, number: Int64) -> Int64 {
    var checksum = Checksum()
    checksum.add(number)
    checksum.add(batch)
    return Int64(checksum.value)
  }
}
