import FirestoreModel
package import FirestoreProtos
import Platform
package import RPCStatus
import Store
import SwiftProtobuf

extension FirestoreService {
  /// How many documents are read and sent at a time.
  private static let portion = 100

  package func runQuery(
    _ request: ProtoRunQueryRequest,
    _ context: RequestContext,
    _ sender: ResponseSender<ProtoRunQueryResponse>
  ) async throws(StatusError) {
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredQuery(let proto) = request.queryType else { throw Self.missingQuery }
    let query = try StructuredQuery(proto)
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let plan = try store.explain(query, parent: parent)
      return try await sender.send([.with { $0.explainMetrics = ProtoExplainMetrics(plan) }])
    }
    let start = ContinuousClock.now
    let reading = try await read(
      ConsistencySelector(request.consistencySelector),
      in: parent.database
    ) { consistency throws(StatusError) in
      try store.attemptQuery(query, parent: parent, consistency)
    }
    if let begun = reading.begun { try await sender.send([.with { $0.transaction = begun.bytes }]) }

    let cursor = reading.answer
    let readTime = cursor.readTime.proto
    var isEmpty = true
    while true {
      let documents = try cursor.next(Self.portion)
      if documents.isEmpty { break }
      isEmpty = false
      try await sender.send(
        documents.map { document in
          var response = ProtoRunQueryResponse()
          response.document = document.proto
          response.readTime = readTime
          return response
        }
      )
    }
    if request.hasExplainOptions {
      let metrics = ProtoExplainMetrics(cursor.plan, cursor.statistics, start.duration(to: .now))
      try await sender.send([
        .with {
          $0.readTime = readTime
          $0.explainMetrics = metrics
        }
      ])
    } else if isEmpty {
      // Clients take the read time from the one answer there is when nothing matched.
      try await sender.send([.with { $0.readTime = readTime }])
    }
  }

  package func runAggregationQuery(
    _ request: ProtoRunAggregationQueryRequest,
    _ context: RequestContext,
    _ sender: ResponseSender<ProtoRunAggregationQueryResponse>
  ) async throws(StatusError) {
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredAggregationQuery(let proto) = request.queryType else {
      throw Self.missingQuery
    }
    guard case .structuredQuery(let inner) = proto.queryType else { throw Self.missingQuery }
    let query = try StructuredQuery(inner)
    let aggregations = try proto.aggregations.map { aggregation throws(StatusError) in
      try Aggregation(aggregation)
    }
    if request.hasExplainOptions, !request.explainOptions.analyze {
      let plan = try store.explain(query, parent: parent)
      return try await sender.send([.with { $0.explainMetrics = ProtoExplainMetrics(plan) }])
    }
    let start = ContinuousClock.now
    let reading = try await read(
      ConsistencySelector(request.consistencySelector),
      in: parent.database
    ) { consistency throws(StatusError) in
      try store.attemptAggregation(aggregations, over: query, parent: parent, consistency)
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
        start.duration(to: .now)
      )
    }
    try await sender.send([response])
  }

  static var missingQuery: StatusError {
    StatusError(.invalidArgument, "The request has no structured query.")
  }
}
