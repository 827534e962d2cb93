import Core
import FirestoreModel

/// A writer of an export into an empty folder.
///
/// Call `begin`, `append` and `end` for each database, then `finish`.
protocol ExportWriter {
  mutating func begin(_ database: DatabaseName) throws(StatusError)
  /// Adds a document of the database.
  ///
  /// - Parameter document: The next document, in the order of names.
  mutating func append(_ document: Document) throws(StatusError)
  mutating func end() throws(StatusError)
  /// Completes the export.
  ///
  /// - Parameter time: The instant of the exported state.
  mutating func finish(project: String, at time: Timestamp) throws(StatusError)
}
