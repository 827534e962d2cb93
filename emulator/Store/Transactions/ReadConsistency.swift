package import Core
package import FirestoreModel

/// Which state of a database a read sees.
package enum ReadConsistency: Hashable, Sendable {
  /// The state after the last commit.
  case latest
  /// The state at an instant of the last hour.
  case readTime(Timestamp)
  /// What a transaction reads: its snapshot, or the latest state under its locks.
  case transaction(TransactionID)
}

/// A transaction as clients know it: opaque bytes.
package struct TransactionID: Hashable, Sendable {
  package let bytes: Data

  package init(_ bytes: Data) { self.bytes = bytes }
}

/// How a transaction reads and whether it writes.
package enum TransactionOptions: Hashable, Sendable {
  package enum ConcurrencyMode: Hashable, Sendable {
    case optimistic, pessimistic
  }

  /// A consistent snapshot, of `readTime` or of the first read; takes no locks.
  case readOnly(readTime: Timestamp?)
  /// - retrying: the first attempt, whose age this one keeps when two transactions are in each
  ///   other's way.
  case readWrite(retrying: TransactionID?, ConcurrencyMode)
}
