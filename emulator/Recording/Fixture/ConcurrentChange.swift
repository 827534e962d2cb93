package import FirestoreModel

/// A change of a document by another writer during an invocation.
package struct ConcurrentChange: Sendable, Hashable {
  /// The kind of request that showed the change.
  package enum Moment: String, Sendable {
    /// The function read the document again.
    case read
    /// A commit of the function failed.
    case commit
  }

  package var moment: Moment
  /// The changed document, or `nil` if it was deleted.
  package var document: Document?
}
