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

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, fields, createTime, updateTime
  }

  init(_ document: Document) {
    name = document.name.path.description
    fields = document.fields
    createTime = document.createTime
    updateTime = document.updateTime
  }

  init(from decoder: any Decoder) throws {
    try decoder.refuseUnknownMembers(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    fields = try container.decode(Fields.self, forKey: .fields)
    createTime = try container.decodeIfPresent(Timestamp.self, forKey: .createTime)
    updateTime = try container.decodeIfPresent(Timestamp.self, forKey: .updateTime)
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
