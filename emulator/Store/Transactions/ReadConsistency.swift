package import Core
package import FirestoreModel

/// The state of a database that a read sees.
package enum ReadConsistency: Hashable, Sendable {
  /// The state after the last commit.
  case latest
  /// The state at a time in the last hour.
  case readTime(Timestamp)
  /// The state that a transaction reads: its snapshot, or the latest state under its locks.
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

  /// A consistent snapshot at `readTime` or at the first read. It takes no locks.
  case readOnly(readTime: Timestamp?)
  /// A transaction that reads and writes.
  ///
  /// - retrying: The first attempt. The retry keeps its age, which decides deadlocks.
  case readWrite(retrying: TransactionID?, ConcurrencyMode)
}
