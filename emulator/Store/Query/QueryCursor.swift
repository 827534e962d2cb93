package import Core
package import FirestoreModel
import Synchronization

/// A query's answer, read in pieces of one consistent state however long the reading takes.
///
/// All that changes here is guarded by the store's lock.
package final class QueryCursor: @unchecked Sendable {
  /// At which time the answer was so.
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

  /// What was read so far.
  package var statistics: QueryStatistics { store.state.withLock { _ in reading.statistics } }

  /// The next documents in the query's order, at most so many; none at the end.
  ///
  /// - Parameter bytes: after as many no further document follows. Whoever sends them on holds all of
  ///   them as long as nobody reads them.
  /// - Throws: `ABORTED` if so much changed since the reading began that its state is forgotten.
  package func next(_ count: Int, bytes: Int = .max) throws(StatusError) -> [Document] {
    try store.state.withLock { state throws(StatusError) in
      try checkPast(state)
      let documents = reading.next(count, bytes: bytes)
      if let transaction, reading.hasReachedLimit, let row = reading.lastRow {
        // What lies behind the limit was not read, so others may change it.
        state.transactions.stopped(transaction.id, transaction.number, at: row)
        store.wakeQueue(&state, relenting: transaction.id)
      }
      return documents
    }
  }

  /// How many documents there are in all, where that can be told without reading them.
  func count(upTo most: Int) throws(StatusError) -> Int? {
    try store.state.withLock { state throws(StatusError) in
      try checkPast(state)
      return reading.countUnread().map { min($0, most) }
    }
  }

  private func checkPast(_ state: borrowing Store.State) throws(StatusError) {
    // A database that was cleared is another one.
    guard state.databases[reading.databaseName] === reading.database,
      reading.database.log.horizon <= readTime.microseconds
    else {
      throw StatusError(
        .aborted,
        "The documents this query reads are no longer kept as they were when it began. Please "
          + "try again."
      )
    }
  }
}

/// Which indexes answer a query, in the words of production's explain.
package struct QueryPlanSummary: Hashable, Sendable {
  package struct Index: Hashable, Sendable {
    /// `(a ASC, __name__ ASC)`
    package var properties: String
    /// `Collection` or `Collection group`
    package var scope: String
  }

  package var indexesUsed: [Index]
}

package struct QueryStatistics: Hashable, Sendable {
  package var resultsReturned = 0
  package var documentsScanned = 0
  package var indexEntriesScanned = 0
}
