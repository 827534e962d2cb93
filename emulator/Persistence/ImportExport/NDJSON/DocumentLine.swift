import Core
import FirestoreModel
import FirestoreProtos

/// The encoding of a document in the emulator's own export format: a line of JSON, without the line
/// break.
enum DocumentLine {
  static func write(_ document: Document) throws(StatusError) -> Data {
    // The name is relative to the database, so that an export can be imported into any project.
    try ProtoDocument(document, name: document.name.path.description).json
  }

  /// Returns the document that a line contains.
  ///
  /// - Parameter place: Text that names the file and the line, for error messages.
  /// - Throws: `INVALID_ARGUMENT`, whose message begins with `place`.
  static func read(
    _ line: Data,
    of database: DatabaseName,
    at place: String
  ) throws(StatusError) -> Document {
    let content: ProtoDocument
    do throws(StatusError) {
      content = try ProtoDocument(json: line)
    } catch {
      throw StatusError(.invalidArgument, "\(place) \(error.message)")
    }
    do throws(StatusError) {
      let name = try DocumentName(database: database, path: ResourcePath(content.name))
      return try Document(content, name: name)
    } catch {
      throw StatusError(.invalidArgument, "\(place) is refused: \(error.message)")
    }
  }
}
