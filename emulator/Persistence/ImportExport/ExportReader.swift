import Core
import FirestoreModel

/// An export on disk, whose documents can be read any number of times.
protocol ExportReader {
  /// The IDs of the databases in the export.
  var databases: [String] { get }

  /// The other Firebase services whose data is in the export.
  var otherServices: [String] { get }

  /// Returns a reader for the documents of one database, from the first.
  ///
  /// - Parameter name: The database that the documents go to.
  func documents(of index: Int, as name: DatabaseName) throws(StatusError) -> any DocumentReader
}

/// A reader of the documents of one database, one after the other.
protocol DocumentReader: AnyObject {
  /// Returns the next document, or `nil` after the last, when all checks have passed.
  ///
  /// - Throws: `INVALID_ARGUMENT` with one sentence that names the file and the position.
  func next() throws(StatusError) -> ReadDocument?
}

/// A document with its position in the export.
struct ReadDocument {
  var document: Document
  /// The number of bytes in the file.
  var bytes: Int
  /// The position in the file, as the beginning of an error's sentence.
  var place: String
}
