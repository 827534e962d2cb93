import Core
import FirestoreModel

/// An export on disk. Its documents can be read several times.
protocol ExportReader {
  /// The IDs of the databases in the export, in the order of their indices.
  var databases: [String] { get }

  /// The folders of the other Firebase services whose data is in the export, by the services' names.
  var services: [String: String] { get }

  /// Returns a reader that begins with the first document of a database.
  ///
  /// - Parameters:
  ///   - index: The index of the database in `databases`.
  ///   - name: The name of the database to import into.
  func documents(of index: Int, as name: DatabaseName) throws(StatusError) -> any DocumentReader
}

/// A reader that returns the documents of one database one by one.
protocol DocumentReader: AnyObject {
  /// Returns the next document, or `nil` after the last one.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid document, or at the end of an incomplete export.
  ///   The message names the file and the position.
  func next() throws(StatusError) -> ReadDocument?
}

/// A document with its position in the export.
struct ReadDocument {
  var document: Document
  /// The number of bytes that the document takes in the file.
  var bytes: Int
  /// The file and the position in it, as text with which an error message can begin.
  var place: String
}
