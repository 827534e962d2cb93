import Core
import FirestoreModel
import FirestoreProtos

extension Write {
  /// Creates a write from its message.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a write that has no operation, or whose names, paths or
  ///   values are invalid.
  init(_ proto: ProtoWrite, names: NameReader) throws(StatusError) {
    let operation: Operation =
      switch proto.operation {
      case .update(let document): .update(try Document(document, names: names))
      case .delete(let name): .delete(try names.document(name))
      case .verify(let name): .verify(try names.document(name))
      case .transform(let transform):
        .transform(
          try names.document(transform.document),
          try [FieldTransform](transform.fieldTransforms)
        )
      case nil: throw StatusError(.invalidArgument, "empty write operation")
      }
    self.init(
      operation,
      updateMask: proto.hasUpdateMask ? try FieldMask(proto.updateMask) : nil,
      updateTransforms: proto.updateTransforms.isEmpty
        ? [] : try [FieldTransform](proto.updateTransforms),
      currentDocument: proto.hasCurrentDocument ? try Precondition(proto.currentDocument) : nil
    )
  }
}

extension Precondition {
  /// Creates a precondition, or returns `nil` if the message has no condition.
  init?(_ proto: ProtoPrecondition) throws(StatusError) {
    switch proto.conditionType {
    case .exists(let exists): self = .exists(exists)
    case .updateTime(let time): self = .updateTime(try Timestamp(time))
    case nil: return nil
    }
  }
}

extension [FieldTransform] {
  init(_ protos: [ProtoDocumentTransform.FieldTransform]) throws(StatusError) {
    self = try protos.map { proto throws(StatusError) in try FieldTransform(proto) }
  }
}

extension FieldTransform {
  init(_ proto: ProtoDocumentTransform.FieldTransform) throws(StatusError) {
    let operation: Operation =
      switch proto.transformType {
      case .setToServerValue(.requestTime): .setToServerValue(.requestTime)
      case .setToServerValue:
        throw StatusError(
          .invalidArgument,
          "ServerValue type must be specified for set_to_server_value transformation."
        )
      case .increment(let operand): .increment(try Value(operand))
      case .maximum(let operand): .maximum(try Value(operand))
      case .minimum(let operand): .minimum(try Value(operand))
      case .appendMissingElements(let array):
        .appendMissingElements(try [Value](array.values))
      case .removeAllFromArray(let array): .removeAllFromArray(try [Value](array.values))
      case nil:
        throw StatusError(
          .invalidArgument,
          "Operation type must be specified for field transformation."
        )
      }
    self.init(try FieldPath(parsing: proto.fieldPath), operation)
  }
}

extension WriteResult {
  var proto: ProtoWriteResult {
    var proto = ProtoWriteResult()
    if let updateTime { proto.updateTime = updateTime.proto }
    if let transformResults { proto.transformResults = transformResults.map(\.proto) }
    return proto
  }
}
