package import FirestoreModel

/// A commit before it is applied, for a check that the store makes.
///
/// It is valid only while the check runs, because the store's lock guards it.
package struct StagedCommit {
  /// The writes of a commit to one document.
  package struct DocumentWrites {
    package let name: DocumentName
    /// The writes in their order, at least one.
    package let writes: [Write]
    /// The document before the commit, or `nil` if it doesn't exist.
    package let before: Document?
    /// The document after all writes, or `nil` if it doesn't exist then. Preconditions that aren't
    /// met are ignored.
    package let after: Document?
  }

  /// The state before the commit. Its time is the commit's.
  package let before: DatabaseState
  /// The written or verified documents, in the order of the first write to each.
  package let documents: [DocumentWrites]
  private let staging: Staging

  init(_ writes: [Write], in staging: Staging, of database: Database) {
    before = DatabaseState(of: database, at: staging.time, now: staging.time)
    self.staging = staging
    documents = zip(staging.touched, staging.grouped(writes)).map { change, writes in
      DocumentWrites(
        name: change.name,
        writes: writes,
        before: change.before,
        after: change.after
      )
    }
  }

  /// Returns a document as all writes leave it, or `nil` if it doesn't exist then.
  package func documentAfterwards(_ path: ResourcePath) -> Document? {
    guard let change = staging.change(of: path) else { return before.document(path) }
    return change.after
  }
}
