package import FirestoreModel

/// What somebody else made of a document while an invocation went on.
package struct ForeignChange: Sendable, Hashable {
  /// When the function met it.
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
