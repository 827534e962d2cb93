package import Core
package import FirestoreModel
import Synchronization

/// A query's result in the state at one time. It is read in pieces.
///
/// The store's lock guards all mutable state.
package final class QueryCursor: @unchecked Sendable {
  /// The time of the state that is read.
  package let readTime: Timestamp
  private let store: Store
  private var reading: QueryReading
  /// The transaction that runs the query, and the query's number in it, or `nil` outside a
  /// transaction.
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

  /// Returns up to `count` documents in the query's order, or an empty array at the end.
  ///
  /// - Parameter bytes: The number of bytes of documents after which the piece ends. It bounds the
  ///   memory that a response to a slow client takes.
  /// - Throws: `ABORTED` if the state is no longer in the history, because the database was cleared
  ///   or many documents have changed since the first piece.
  package func next(_ count: Int, bytes: Int = .max) throws(StatusError) -> [Document] {
    try store.state.withLock { state throws(StatusError) in
      try checkPast(state)
      let documents = reading.next(count, bytes: bytes)
      if let transaction, reading.hasReachedLimit, let row = reading.lastRow {
        // The documents after the limit weren't read, so release their locks.
        state.transactions.stopped(transaction.id, transaction.number, at: row)
        store.wakeQueue(&state, relenting: transaction.id)
      }
      return documents
    }
  }

  /// Returns the number of documents, but at most `most`. Returns `nil` if the documents have to be
  /// read to count them.
  func count(upTo most: Int) throws(StatusError) -> Int? {
    try store.state.withLock { state throws(StatusError) in
      try checkPast(state)
      return reading.countUnread().map { min($0, most) }
    }
  }

  private func checkPast(_ state: borrowing Store.State) throws(StatusError) {
    // If the database was cleared, the name refers to a new one.
    guard state.databases[reading.databaseName] === reading.database,
      reading.database.log.horizon <= readTime.microseconds
    else {
      throw StatusError(
        .aborted,
        "the query's snapshot was dropped because too much has changed: run the query again"
      )
    }
  }
}

/// The indexes that a query uses, in the format of production's query explain.
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
