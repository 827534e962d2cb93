package import Core
package import FirestoreModel
package import FirestoreProtos

extension Document {
  /// A document on its way to be written: what it says of its times is nothing to us.
  init(_ proto: ProtoDocument, names: NameReader) throws(StatusError) {
    self.init(name: try names.document(proto.name), fields: try Fields(proto.fields))
  }

  package var proto: ProtoDocument { ProtoDocument(self, name: name.description) }
}

extension FieldMask {
  /// - Throws: `INVALID_ARGUMENT` for a path that isn't one, or that no document can have.
  package init(_ proto: ProtoDocumentMask) throws(StatusError) {
    self.init(
      try proto.fieldPaths.map { text throws(StatusError) in
        let path = try FieldPath(parsing: text)
        if path != .documentName, let name = path.segments.first(where: \.string.isReservedName) {
          throw StatusError(.invalidArgument, "Invalid reserved name in field path \(name)")
        }
        return path
      }
    )
  }
}
