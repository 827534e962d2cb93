import Core
import FirestoreModel
import FirestoreProtos

/// A document in the emulator's own format: a line of JSON, here without the line break.
enum DocumentLine {
  static func write(_ document: Document) throws(StatusError) -> Data {
    // The name is relative to the database, so that an export fits any project.
    try ProtoDocument(document, name: document.name.path.description).json
  }

  /// Returns the document of a line.
  ///
  /// - Parameter place: The line's position, for messages.
  /// - Throws: `INVALID_ARGUMENT` with one sentence that begins with the position.
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
