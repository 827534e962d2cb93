package import Core
package import FirestoreModel
import Synchronization

/// A query's result, read in pieces of one consistent state.
///
/// The store's lock guards all mutable state.
package final class QueryCursor: @unchecked Sendable {
  /// The time of the state that is read.
  package let readTime: Timestamp
  private let store: Store
  private var reading: QueryReading
  /// The transaction that reads, and its number for this query.
  private let transaction: (id: TransactionID, number: Int)?

  init(
    _ reading: QueryReading,
    at readTime: Timestamp,
    transaction: (id: TransactionID, number: Int)?,
    in store: Store
  ) {
    self.reading = reading
    self.readTime = readTime
    self.transaction = transaction
    self.store = store
  }

  package var plan: QueryPlanSummary { store.state.withLock { _ in reading.plan } }

  /// The statistics of the pieces read so far.
  package var statistics: QueryStatistics { store.state.withLock { _ in reading.statistics } }

  /// Returns the next documents in the query's order, at most `count`; none at the end.
  ///
  /// - Parameter bytes: The number of bytes after which no further document follows. It bounds the
  ///   memory of a caller whose client reads slowly.
  /// - Throws: `ABORTED` if so much has changed since the first piece that its state is dropped.
  package func next(_ count: Int, bytes: Int = .max) throws(StatusError) -> [Document] {
    try store.state.withLock { state throws(StatusError) in
      try checkPast(state)
      let documents = reading.next(count, bytes: bytes)
      if let transaction, reading.hasReachedLimit, let row = reading.lastRow {
        // Documents behind the limit weren't read, so others may change them.
        state.transactions.stopped(transaction.id, transaction.number, at: row)
        store.wakeQueue(&state, relenting: transaction.id)
      }
      return documents
    }
  }

  /// Returns the number of documents, or `nil` if they have to be read to count them.
  func count(upTo most: Int) throws(StatusError) -> Int? {
    try store.state.withLock { state throws(StatusError) in
      try checkPast(state)
      return reading.countUnread().map { min($0, most) }
    }
  }

  private func checkPast(_ state: borrowing Store.State) throws(StatusError) {
    // Clearing replaces a database by a new one.
    guard state.databases[reading.databaseName] === reading.database,
      reading.database.log.horizon <= readTime.microseconds
    else {
      throw StatusError(
        .aborted,
        "too much has changed since the query began, and its snapshot is gone: run it again"
      )
    }
  }
}

/// The indexes that answer a query, in the format of production's explain.
package struct QueryPlanSummary: Hashable, Sendable {
  package struct Index: Hashable, Sendable {
    /// The index's fields, such as `(a ASC, __name__ ASC)`.
    package var properties: String
    /// The index's scope: `Collection` or `Collection group`.
    package var scope: String
  }

  package var indexesUsed: [Index]
}

package struct QueryStatistics: Hashable, Sendable {
  package var resultsReturned = 0
  package var documentsScanned = 0
  package var indexEntriesScanned = 0
}
