import FirestoreModel

/// A document as a line of an export: its path where Firestore's JSON has the full name.
struct DocumentLine: Encodable {
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
}
