package import Core
package import FirestoreModel
import Synchronization

extension Store {
  /// Begins a transaction.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a malformed ID to retry; `INVALID_ARGUMENT` or
  ///   `FAILED_PRECONDITION` for a time that can't be read.
  package func begin(
    _ options: TransactionOptions,
    in database: DatabaseName
  ) throws(StatusError) -> TransactionID {
    try state.withLock { state throws(StatusError) in
      if case .readOnly(let time?) = options {
        _ = try checked(readTime: time, in: database, &state)
      }
      return try state.transactions.begin(options, in: database, at: clock())
    }
  }

  /// Ends a transaction and releases its locks. If the transaction has already ended, it does
  /// nothing.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a malformed ID.
  package func rollback(
    _ transaction: TransactionID,
    in database: DatabaseName
  ) throws(StatusError) {
    try TransactionTable.check(transaction)
    state.withLock { state in
      guard state.transactions.transaction(transaction)?.database == database else { return }
      state.abort(transaction)
      wakeQueue(&state)
    }
  }
}
