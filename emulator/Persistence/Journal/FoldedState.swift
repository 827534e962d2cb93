import Core
import GRDB

/// The only row of the table `state`, which describes the table of documents.
struct FoldedState {
  /// The number of the last batch whose changes are in the table of documents.
  var folded: Int64
  /// The time of the last commit whose changes are in the table of documents, in microseconds.
  var time: Int64

  private var checksum: Int64 {
    var checksum = Checksum()
    checksum.add(folded)
    checksum.add(time)
    return Int64(checksum.value)
  }

  func save(to database: GRDB.Database) throws {
    try database.execute(sql: "DELETE FROM state")
    try database.execute(
      sql: "INSERT INTO state (folded, time, checksum) VALUES (?, ?, ?)",
      arguments: [folded, time, checksum]
    )
  }

  /// Loads the row.
  ///
  /// - Throws: `DATA_LOSS` if the row is missing or damaged.
  static func load(from database: GRDB.Database, of path: String) throws -> FoldedState {
    guard let row = try Row.fetchOne(database, sql: "SELECT folded, time, checksum FROM state")
    else {
      throw StatusError.damaged(path, "the table state has no row")
    }
    let state = FoldedState(
      folded: try row.value(0, of: path),
      time: try row.value(1, of: path)
    )
    guard try state.checksum == row.value(2, of: path) else {
      throw StatusError.damaged(path, "the checksum in the table state is wrong")
    }
    return state
  }
}
