package import Core
package import FirestoreModel
package import Store

/// The documents of a database as of one instant, as the lines of an export's file.
package struct DocumentLines: Sendable {
  private static let portion = 256
  /// The maximum size of a portion, which the caller keeps until its client has read it.
  private static let portionBytes = 256 << 10

  private let cursor: QueryCursor

  package init(of database: DatabaseName, in store: Store) throws(StatusError) {
    cursor = try DatabaseSnapshot(of: store).cursor(over: database)
  }

  /// Returns the file's name in an export.
  package static func fileName(of database: DatabaseName) -> String {
    ExportManifest.file(of: database.database)
  }

  /// Returns the lines of the next few documents, or `nil` after the last.
  ///
  /// - Throws: `ABORTED` if so much has changed since the first portion that its state is dropped.
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
