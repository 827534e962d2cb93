import Core
import FirestoreModel

/// A writer that fills an empty folder with an export.
///
/// Call `begin`, `append` and `end` for each database, then `finish`.
protocol ExportWriter {
  mutating func begin(_ database: DatabaseName) throws(StatusError)
  /// Adds a document of the current database.
  ///
  /// - Parameter document: A document whose name sorts after the names of the earlier documents.
  mutating func append(_ document: Document) throws(StatusError)
  mutating func end() throws(StatusError)
  /// Completes the export.
  ///
  /// - Parameters:
  ///   - time: The time of the exported state.
  ///   - services: The names of the other services that the export contains.
  mutating func finish(
    project: String,
    at time: Timestamp,
    services: [String]
  ) throws(StatusError)
}
