import Core
import FirestoreModel

/// An export on disk, whose documents can be read any number of times.
protocol ExportReader {
  /// The ids of the databases in it.
  var databases: [String] { get }

  /// The services of Firebase whose data is in it beside Firestore's.
  var otherServices: [String] { get }

  /// The documents of one of them, from the first.
  ///
  /// - Parameter name: the database they are to be of.
  func documents(of index: Int, as name: DatabaseName) throws(StatusError) -> any DocumentReader
}

/// The documents of one database, one after the other.
protocol DocumentReader: AnyObject {
  /// nil after the last, once everything that can be checked was found right.
  ///
  /// - Throws: `INVALID_ARGUMENT` with one sentence that names file and place.
  func next() throws(StatusError) -> ReadDocument?
}

/// A document as it was found.
struct ReadDocument {
  var document: Document
  /// How many it took in the file.
  var bytes: Int
  /// Where it stands, for messages: the beginning of a sentence.
  var place: String
}
