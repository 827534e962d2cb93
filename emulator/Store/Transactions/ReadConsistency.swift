package import Core
package import FirestoreModel

/// The state of a database that a read sees.
package enum ReadConsistency: Hashable, Sendable {
  /// The state after the last commit.
  case latest
  /// The state at a time in the last hour.
  case readTime(Timestamp)
  /// The state that a transaction reads. A pessimistic transaction reads the latest state and locks
  /// what it reads. All others read a snapshot.
  case transaction(TransactionID)
}

/// The ID of a transaction. Its bytes are opaque to clients.
package struct TransactionID: Hashable, Sendable {
  package let bytes: Data

  package init(_ bytes: Data) { self.bytes = bytes }
}

/// The kind of a transaction: read-only or read-write, and its concurrency mode.
package enum TransactionOptions: Hashable, Sendable {
  package enum ConcurrencyMode: Hashable, Sendable {
    case optimistic, pessimistic
  }

  /// A transaction that only reads, and takes no locks. It reads a snapshot at `readTime` or, if
  /// that is `nil`, at the time of its first read.
  case readOnly(readTime: Timestamp?)
  /// A transaction that reads and writes.
  ///
  /// - retrying: The ID of the first attempt, or `nil` if this is the first. In a deadlock the
  ///   youngest transaction is aborted, so a retry gets the age of the first attempt.
  case readWrite(retrying: TransactionID?, ConcurrencyMode)
}
