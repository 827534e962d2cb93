package import FirestoreModel
package import RPCStatus

extension Store {
  package func begin(
    _ options: TransactionOptions,
    in database: DatabaseName
  ) throws(StatusError) -> TransactionID { throw StatusError(.unimplemented, "") }

  /// Ends a transaction and gives up its locks. One that has ended already is fine.
  package func rollback(
    _ transaction: TransactionID,
    in database: DatabaseName
  ) throws(StatusError) { throw StatusError(.unimplemented, "") }

  /// Commits, or says that it must wait for locks.
  package func attemptCommit(
    _ writes: [Write],
    in database: DatabaseName,
    transaction: TransactionID? = nil,
    cause: CommitCause = .init()
  ) throws(StatusError) -> Attempt<Commit> { throw StatusError(.unimplemented, "") }

  /// Several documents in one consistent state; missing ones are left out.
  package func attemptDocuments(
    _ names: [DocumentName],
    in database: DatabaseName,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> Attempt<(documents: [DocumentName: Document], readTime: Timestamp)> {
    throw StatusError(.unimplemented, "")
  }

  package func attemptQuery(
    _ query: StructuredQuery,
    parent: ResourceName,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> Attempt<QueryCursor> { throw StatusError(.unimplemented, "") }

  package func attemptAggregation(
    _ aggregations: [Aggregation],
    over query: StructuredQuery,
    parent: ResourceName,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> Attempt<AggregationAnswer> { throw StatusError(.unimplemented, "") }

  /// How a query would be answered, without running it.
  package func explain(
    _ query: StructuredQuery,
    parent: ResourceName
  ) throws(StatusError) -> QueryPlanSummary { throw StatusError(.unimplemented, "") }

  /// Names that cut a collection group into parts of about equal size: at most `count` of them.
  package func partition(
    _ query: StructuredQuery,
    parent: ResourceName,
    count: Int64,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> [DocumentName] { throw StatusError(.unimplemented, "") }

  /// One page of a collection; `orderBy` empty is the order of names.
  package func attemptList(
    collection: ResourceName,
    pageSize: Int = 0,
    pageToken: String? = nil,
    orderBy: [StructuredQuery.Order] = [],
    showMissing: Bool = false,
    _ consistency: ReadConsistency = .latest
  ) throws(StatusError) -> Attempt<(documents: [Document], nextPageToken: String?)> {
    throw StatusError(.unimplemented, "")
  }

  package func collectionIDs(
    below parent: ResourceName,
    pageSize: Int,
    pageToken: String?,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> (ids: [String], nextPageToken: String?) {
    throw StatusError(.unimplemented, "")
  }
}
