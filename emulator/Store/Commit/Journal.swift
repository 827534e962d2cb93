package import Core
package import FirestoreModel

/// The durable log of a store's changes, written before the changes become visible.
///
/// Only the store calls it, from one thread at a time.
package protocol Journal: Sendable {
  /// Writes the entries to disk. When it returns, a power cut can no longer lose them.
  ///
  /// - Throws: The error for the clients. If it throws, none of the entries is written.
  func append(_ entries: [JournalEntry]) throws(StatusError)

  /// Performs one step of housekeeping, if any is due. Commits wait until it returns.
  ///
  /// - Parameter isIdle: A Boolean value that indicates whether no commit is waiting.
  /// - Returns: A Boolean value that indicates whether another step is due.
  func tidy(isIdle: Bool) -> Bool

  /// Completes and closes the journal. Later appends fail.
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
  /// The documents with their create and update times, in any order, without duplicates.
  package var documents: [DatabaseName: [Document]]
  /// The time of the last commit. New commits get later times, and earlier states can't be read.
  package var lastCommitTime: Timestamp
  /// The records of other components, by key. The store doesn't use them.
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
