package import Core
package import FirestoreModel
package import Store

/// Every document of a database as of one instant, as the lines that an export's file has.
package struct DocumentLines: Sendable {
  private static let portion = 256
  /// The lines are held by their caller until they are read.
  private static let portionBytes = 256 << 10

  private let cursor: QueryCursor

  package init(of database: DatabaseName, in store: Store) throws(StatusError) {
    cursor = try DatabaseSnapshot(of: store).cursor(over: database)
  }

  /// The file's name in an export.
  package static func fileName(of database: DatabaseName) -> String {
    ExportManifest.file(of: database.database)
  }

  /// The lines of the next few documents; nil after the last.
  ///
  /// - Throws: `ABORTED` if so much has changed since the first that its state is forgotten.
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
