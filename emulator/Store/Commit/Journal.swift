package import Core
package import FirestoreModel

/// Where a store's changes go before anybody sees them, so that they outlive the process.
///
/// The store calls it from one thread at a time, and nobody else does.
package protocol Journal: Sendable {
  /// Returns when all of it would survive a power cut.
  ///
  /// - Throws: if none of it counts; what clients are to be told.
  func append(_ entries: [JournalEntry]) throws(StatusError)

  /// Does a piece of housekeeping, if it is time for any. Nobody can commit meanwhile.
  ///
  /// - Parameter isIdle: whether nobody wants to.
  /// - Returns: whether there is more to do.
  func tidy(isIdle: Bool) -> Bool

  /// Leaves everything in order. What is appended from now on is refused.
  func close()
}

package enum JournalEntry: Sendable {
  case commit(Commit)
  /// Every document of a database is gone.
  case clear(DatabaseName, at: Timestamp)
  case record(JournalRecord)
}

/// What a store begins with.
package struct StoreContents: Sendable {
  /// In any order, none twice, with their times.
  package var documents: [DatabaseName: [Document]]
  /// The last commit's; what was before it can't be read any more. Commits come after it.
  package var lastCommitTime: Timestamp
  /// What others keep in the journal, by key. It is theirs: the store doesn't look at it.
  package var records: [String: Data]

  package init(
    documents: [DatabaseName: [Document]] = [:],
    lastCommitTime: Timestamp = Timestamp(microseconds: 0),
    records: [String: Data] = [:]
  ) {
    self.documents = documents
    self.lastCommitTime = lastCommitTime
    self.records = records
  }
}
