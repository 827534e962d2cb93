import Core
import FirestoreModel
import FirestoreProtos

/// A document as our own format has it: a line of JSON, here without its end.
enum DocumentLine {
  static func write(_ document: Document) throws(StatusError) -> Data {
    // A document's name is where it is in the database: an export is of any project.
    try ProtoDocument(document, name: document.name.path.description).json
  }

  /// - Parameter place: where the line stands, for messages.
  /// - Throws: `INVALID_ARGUMENT` with one sentence that begins with the place.
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
