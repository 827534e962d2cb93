import Core
package import FirestoreModel

/// Documents of one conversation and its users, with fixed IDs and times.
package enum ChatDocuments {
  package static let database = DatabaseName(project: "p")
  package static let updateTime = Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_000)

  package static func document(_ path: String, _ fields: Fields) throws -> Document {
    Document(
      name: try DocumentName(database: database, path: ResourcePath(path)),
      fields: fields,
      createTime: updateTime,
      updateTime: updateTime
    )
  }

  package static func message(_ fields: Fields, id: String = "m1") throws -> Document {
    try document("conversations/c1/messages/\(id)", fields)
  }

  package static func conversation(_ fields: Fields) throws -> Document {
    try document("conversations/c1", fields)
  }

  package static func user(_ uid: String, _ fields: Fields) throws -> Document {
    try document("users/\(uid)", fields)
  }
}

extension Value {
  /// Values of all types, to try every wrong type in a field.
  package static let everyType: [Value] = [
    .null, true, 7, .double(1.5), .timestamp(Timestamp(seconds: 0)), "text", .bytes(.init()),
    .reference("projects/p/databases/d/documents/a/b"), .geoPoint(latitude: 1, longitude: 2),
    [], ["text", 7], [:], ["text": "text"],
  ]
}
