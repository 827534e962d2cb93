/// A write of a commit.
package struct Write: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Creates or replaces a document. If the write has a mask, only the fields in the mask are
    /// changed.
    case update(Document)
    case delete(DocumentName)
    /// Checks the precondition and changes nothing. Mobile and web SDKs send this for documents
    /// that a transaction read but didn't write.
    case verify(DocumentName)
    /// Applies only transforms; an older form of `updateTransforms`.
    case transform(DocumentName, [FieldTransform])
  }

  package var operation: Operation
  /// The fields to change, or `nil` to replace the whole document. A field in the mask that isn't
  /// in the update's document is deleted.
  package var updateMask: FieldMask?
  /// The transforms to apply after the update, in order.
  package var updateTransforms: [FieldTransform]
  package var currentDocument: Precondition?

  package init(
    _ operation: Operation,
    updateMask: FieldMask? = nil,
    updateTransforms: [FieldTransform] = [],
    currentDocument: Precondition? = nil
  ) {
    self.operation = operation
    self.updateMask = updateMask
    self.updateTransforms = updateTransforms
    self.currentDocument = currentDocument
  }

  /// The name of the document.
  package var name: DocumentName {
    switch operation {
    case .update(let document): document.name
    case .delete(let name), .verify(let name), .transform(let name, _): name
    }
  }
}

/// A condition on a document. If the document doesn't meet it, the commit fails.
package enum Precondition: Hashable, Sendable {
  case exists(Bool)
  case updateTime(Timestamp)
}

/// A change that the server computes from a field's current value.
package struct FieldTransform: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Sets the field to the commit's time, with millisecond precision.
    case setToServerValue(ServerValue)
    case increment(Value)
    case maximum(Value)
    case minimum(Value)
    case appendMissingElements([Value])
    case removeAllFromArray([Value])
  }

  package enum ServerValue: String, Hashable, Sendable, Encodable {
    case requestTime = "REQUEST_TIME"
  }

  package var fieldPath: FieldPath
  package var operation: Operation

  package init(_ fieldPath: FieldPath, _ operation: Operation) {
    self.fieldPath = fieldPath
    self.operation = operation
  }
}

/// The result of a write.
package struct WriteResult: Hashable, Sendable, Decodable {
  /// The document's update time, or `nil` after a delete.
  package var updateTime: Timestamp?
  /// The results of the transforms, in order; null for array transforms.
  package var transformResults: [Value]?

  package init(updateTime: Timestamp?, transformResults: [Value]? = nil) {
    self.updateTime = updateTime
    self.transformResults = transformResults
  }
}
