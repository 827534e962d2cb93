package import Core
package import FirestoreModel

/// The durable log of a store's changes, written before the changes become visible.
///
/// The store calls it from one thread at a time, and nobody else calls it.
package protocol Journal: Sendable {
  /// Writes the entries, and returns when all of them would survive a power cut.
  ///
  /// - Throws: The error for the clients. In this case none of the entries is kept.
  func append(_ entries: [JournalEntry]) throws(StatusError)

  /// Performs one step of housekeeping if any is due. Commits wait until it returns.
  ///
  /// - Parameter isIdle: A Boolean value that indicates whether no commit is waiting.
  /// - Returns: A Boolean value that indicates whether there is more to do.
  func tidy(isIdle: Bool) -> Bool

  /// Closes the journal in an orderly state. Later appends are refused.
  func close()
}

package enum JournalEntry: Sendable {
  case commit(Commit)
  /// The removal of every document of a database.
  case clear(DatabaseName, at: Timestamp)
  case record(JournalRecord)
}

/// The initial contents of a store.
package struct StoreContents: Sendable {
  /// The documents with their times, in any order, without duplicates.
  package var documents: [DatabaseName: [Document]]
  /// The time of the last commit. New commits come after it, and states before it can't be read.
  package var lastCommitTime: Timestamp
  /// The records of other components, by key. The store doesn't read them.
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
