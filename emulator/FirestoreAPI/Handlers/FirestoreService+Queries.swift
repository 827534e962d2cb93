package import Core
import FirestoreModel
package import FirestoreProtos
import Store
import SwiftProtobuf

extension FirestoreService {
  /// The maximum number of documents that are read and sent at a time.
  static let portion = 32
  /// The total size of documents after which a portion ends, in bytes.
  static let portionBytes = 256 << 10

  package func runQuery(
    _ request: ProtoRunQueryRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ResponseStream<ProtoRunQueryResponse> {
    let start = ContinuousClock.now
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredQuery(let proto) = request.queryType else { throw Self.missingQuery }
    let query = try StructuredQuery(proto)
    let isExplained = request.hasExplainOptions
    if isExplained, !request.explainOptions.analyze {
      let plan = try await plan(
        of: query,
        below: parent,
        ConsistencySelector(request.consistencySelector),
        context
      ) { () throws(StatusError) in
        try store.explain(query, parent: parent)
      }
      return ResponseStream(first: [.with { $0.explainMetrics = ProtoExplainMetrics(plan) }])
    }
    let reading = try await read(
      ConsistencySelector(request.consistencySelector),
      in: parent.database
    ) { consistency throws(StatusError) in
      try store.attemptQuery(
        query,
        parent: parent,
        consistency,
        check: rights(context, in: parent.database, consistency)?.list(query, below: parent)
      )
    }
    let cursor = reading.answer
    let readTime = cursor.readTime.proto
    return ResponseStream(
      first: reading.begun.map { id in [.with { $0.transaction = id.bytes }] } ?? [],
      next: { _ throws(StatusError) in
        try cursor.next(Self.portion, bytes: Self.portionBytes).map { document in
          var response = ProtoRunQueryResponse()
          response.document = document.proto
          response.readTime = readTime
          return response
        }
      },
      // Clients count the messages, so put the metrics into the last document's message.
      holdsLast: isExplained,
      last: { count, held in
        // If no document matched, this is the only response, and clients need its read time.
        guard isExplained || count == 0 else { return [] }
        var response = held ?? .with { $0.readTime = readTime }
        if isExplained {
          response.explainMetrics = ProtoExplainMetrics(
            cursor.plan,
            cursor.statistics,
            results: count,
            reads: count,
            duration: start.duration(to: .now)
          )
        }
        return [response]
      }
    )
  }

  package func runAggregationQuery(
    _ request: ProtoRunAggregationQueryRequest,
    _ context: RequestContext
  ) async throws(StatusError) -> ResponseStream<ProtoRunAggregationQueryResponse> {
    let start = ContinuousClock.now
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredAggregationQuery(let proto) = request.queryType,
      case .structuredQuery(let inner) = proto.queryType
    else { throw Self.missingQuery }
    let query = try StructuredQuery(inner)
    let aggregations = try proto.aggregations.map { aggregation throws(StatusError) in
      try Aggregation(aggregation)
    }
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let plan = try await plan(
        of: query,
        below: parent,
        ConsistencySelector(request.consistencySelector),
        context
      ) { () throws(StatusError) in
        try store.explain(aggregations, over: query, parent: parent)
      }
      return ResponseStream(first: [.with { $0.explainMetrics = ProtoExplainMetrics(plan) }])
    }
    let reading = try await read(
      ConsistencySelector(request.consistencySelector),
      in: parent.database
    ) { consistency throws(StatusError) in
      try store.attemptAggregation(
        aggregations,
        over: query,
        parent: parent,
        consistency,
        check: rights(context, in: parent.database, consistency)?.list(query, below: parent)
      )
    }
    let answer = reading.answer
    var response = ProtoRunAggregationQueryResponse()
    response.result.aggregateFields = answer.fields.proto
    response.readTime = answer.readTime.proto
    if let begun = reading.begun { response.transaction = begun.bytes }
    if request.hasExplainOptions {
      response.explainMetrics = ProtoExplainMetrics(
        answer.plan,
        answer.statistics,
        results: 1,
        // Each thousand index entries, or a part of a thousand, is billed as one read.
        reads: (answer.statistics.indexEntriesScanned + 999) / 1_000,
        duration: start.duration(to: .now)
      )
    }
    return ResponseStream(first: [response])
  }

  /// Returns the plan of a query that the caller may run.
  ///
  /// - Parameter explain: A closure that validates the query and returns its plan. Its error about a
  ///   missing index counts only if the caller may run the query.
  private func plan(
    of query: StructuredQuery,
    below parent: ResourceName,
    _ selector: ConsistencySelector,
    _ context: RequestContext,
    _ explain: () throws(StatusError) -> QueryPlanSummary
  ) async throws(StatusError) -> QueryPlanSummary {
    let plan: Result<QueryPlanSummary, StatusError>
    do throws(StatusError) {
      plan = .success(try explain())
    } catch {
      guard error.code == .failedPrecondition else { throw error }
      plan = .failure(error)
    }
    let consistency: ReadConsistency =
      if case .read(let consistency) = selector { consistency } else { .latest }
    if let rights = try rights(context, in: parent.database, consistency) {
      try await store.attemptCheck(
        rights.list(query, below: parent),
        in: parent.database,
        consistency
      ).value()
    }
    return try plan.get()
  }

  static var missingQuery: StatusError {
    StatusError(.invalidArgument, "only structured queries are supported")
  }
}
