import Core
import FirestoreProtos
import GRDB
import SwiftProtobuf

/// The table `log`. Each row has a batch, its number and a checksum. The numbers are consecutive.
enum LogTable {
  struct Entry {
    let number: Int64
    let batch: ProtoJournalBatch
    let bytes: Int
  }

  /// The approximate size of a row without its batch, in bytes.
  private static let rowBytes = 32

  /// Returns the approximate size of a batch's row, in bytes.
  static func bytes(of batch: Data) -> Int { batch.count + rowBytes }

  static func append(_ batch: Data, number: Int64, to database: GRDB.Database) throws {
    try database.cachedStatement(sql: "INSERT INTO log (number, batch, checksum) VALUES (?, ?, ?)")
      .execute(arguments: [number, batch, checksum(of: batch, number: number)])
  }

  /// Reads batches in order until `body` returns false.
  ///
  /// - Parameters:
  ///   - folded: The number of the batch before the first one to read.
  ///   - body: A closure that gets each batch, and returns whether to continue.
  /// - Throws: `DATA_LOSS` if a batch is missing or damaged.
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
