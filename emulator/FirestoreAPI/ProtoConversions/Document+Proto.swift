package import Core
package import FirestoreModel
package import FirestoreProtos

extension Document {
  /// Creates a document to write. The create and update times in the message are ignored.
  init(_ proto: ProtoDocument, names: NameReader) throws(StatusError) {
    self.init(name: try names.document(proto.name), fields: try Fields(proto.fields))
  }

  package var proto: ProtoDocument { ProtoDocument(self, name: name.description) }
}

extension FieldMask {
  /// Creates a mask from its message.
  ///
  /// - Throws: `INVALID_ARGUMENT` for text that isn't a field path, or for a path with a reserved
  ///   name.
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
