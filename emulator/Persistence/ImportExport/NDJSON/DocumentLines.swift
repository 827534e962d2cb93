package import Core
package import FirestoreModel
package import Store

/// The lines of an export's file: the documents of a database in their state at one time.
package struct DocumentLines: Sendable {
  private static let portion = 256
  /// The approximate maximum size of the lines that `next` returns, in bytes. The caller keeps them
  /// in memory until its client has read them.
  private static let portionBytes = 256 << 10

  private let cursor: QueryCursor

  package init(of database: DatabaseName, in store: Store) throws(StatusError) {
    cursor = try DatabaseSnapshot(of: store).cursor(over: database)
  }

  /// Returns the name that the file of a database has in an export.
  package static func fileName(of database: DatabaseName) -> String {
    ExportManifest.file(of: database.database)
  }

  /// Returns the lines of the next few documents, or `nil` after the last document.
  ///
  /// - Throws: `ABORTED` if the state at the time of the first call is no longer in the store's
  ///   history.
  package func next() throws(StatusError) -> Data? {
    let documents = try cursor.next(Self.portion, bytes: Self.portionBytes)
    guard !documents.isEmpty else { return nil }
    var lines = Data()
    for document in documents {
      lines += try DocumentLine.write(document)
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
