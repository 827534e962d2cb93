package import Core
package import FirestoreModel

extension Document {
  /// Creates a document, with its times, from a protobuf message.
  ///
  /// - Parameter name: The document's name. The name in the message is ignored.
  /// - Throws: `INVALID_ARGUMENT` for an invalid value or time.
  package init(_ proto: ProtoDocument, name: DocumentName) throws(StatusError) {
    self.init(
      name: name,
      fields: try Fields(proto.fields),
      createTime: proto.hasCreateTime ? try Timestamp(proto.createTime) : nil,
      updateTime: proto.hasUpdateTime ? try Timestamp(proto.updateTime) : nil
    )
  }
}

extension ProtoDocument {
  package init(_ document: Document, name: String) {
    self.init()
    self.name = name
    fields = document.fields.proto
    if let createTime = document.createTime { self.createTime = createTime.proto }
    if let updateTime = document.updateTime { self.updateTime = updateTime.proto }
  }
}
