/// One change of a commit.
package struct Write: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Creates or replaces a document; with a mask, only the masked fields change.
    case update(Document)
    case delete(DocumentName)
    /// Checks the precondition and changes nothing. Mobile and web SDKs send it for documents a
    /// transaction read and didn't write.
    case verify(DocumentName)
    /// Transforms alone, an older form of `updateTransforms`.
    case transform(DocumentName, [FieldTransform])
  }

  package var operation: Operation
  /// Absent: the whole document. A masked path that the document lacks is deleted.
  package var updateMask: FieldMask?
  /// Applied after the update, in order.
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

  /// The document this write is about.
  package var name: DocumentName {
    switch operation {
    case .update(let document): document.name
    case .delete(let name), .verify(let name), .transform(let name, _): name
    }
  }
}

/// What must be true of a document for a write to go ahead.
package enum Precondition: Hashable, Sendable {
  case exists(Bool)
  case updateTime(Timestamp)
}

/// A change computed by the server from a field's value.
package struct FieldTransform: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// The commit's time, to the millisecond.
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

/// What a write did.
package struct WriteResult: Hashable, Sendable, Decodable {
  /// Absent after a delete.
  package var updateTime: Timestamp?
  /// One for each transform, in order; null for the array transforms.
  package var transformResults: [Value]?

  package init(updateTime: Timestamp?, transformResults: [Value]? = nil) {
    self.updateTime = updateTime
    self.transformResults = transformResults
  }
}
