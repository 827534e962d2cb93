import FirestoreModel
import JSONCoding
import Platform
import RPCStatus

/// A document as a line of an export: its path where Firestore's JSON has the full name.
struct DocumentLine: Codable {
  var name: String
  var fields: Fields
  var createTime: Timestamp?
  var updateTime: Timestamp?

  init(_ document: Document) {
    name = document.name.path.description
    fields = document.fields
    createTime = document.createTime
    updateTime = document.updateTime
  }

  /// - Throws: `INVALID_ARGUMENT` for a path that isn't a document's.
  func document(in database: DatabaseName) throws(StatusError) -> Document {
    Document(
      name: try DocumentName(database: database, path: ResourcePath(name)),
      fields: fields,
      createTime: createTime,
      updateTime: updateTime
    )
  }
}
