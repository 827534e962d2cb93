import Core
import FirestoreModel

/// Writes an export into an empty folder: for each database `begin`, `append` and `end`; then
/// `finish`.
protocol ExportWriter {
  mutating func begin(_ database: DatabaseName) throws(StatusError)
  /// - Parameter document: they come in the order of their names.
  mutating func append(_ document: Document) throws(StatusError)
  mutating func end() throws(StatusError)
  /// - Parameter time: the instant of which all documents are.
  mutating func finish(project: String, at time: Timestamp) throws(StatusError)
}
