package import FirestoreModel

/// A document as another writer left it while an invocation ran.
package struct ConcurrentChange: Sendable, Hashable {
  /// The request by which the function met the change.
  package enum Moment: String, Sendable {
    /// It read the document again.
    case read
    /// A commit of its own failed.
    case commit
  }

  package var moment: Moment
  /// nil if it was deleted.
  package var document: Document?
}
