package import FirestoreModel
package import RPCStatus

/// A query's answer, read in pieces of one consistent state however long the reading takes.
package final class QueryCursor: Sendable {
  /// At which time the answer was so.
  package let readTime: Timestamp
  package var plan: QueryPlanSummary { .init(indexesUsed: []) }
  /// What was read so far.
  package var statistics: QueryStatistics { .init() }

  init(readTime: Timestamp) { self.readTime = readTime }

  /// The next documents in the query's order, at most so many; none at the end.
  ///
  /// - Throws: `ABORTED` if so much changed since the reading began that its state is forgotten.
  package func next(_ count: Int) throws(StatusError) -> [Document] { [] }
}

/// Which indexes answer a query, in the words of production's explain.
package struct QueryPlanSummary: Hashable, Sendable {
  package struct Index: Hashable, Sendable {
    /// `(a ASC, __name__ ASC)`
    package var properties: String
    /// `Collection` or `Collection Group`
    package var scope: String
  }

  package var indexesUsed: [Index]
}

package struct QueryStatistics: Hashable, Sendable {
  package var resultsReturned = 0
  package var documentsScanned = 0
  package var indexEntriesScanned = 0
}
