import Core
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf

extension ProtoExplainMetrics {
  init(_ plan: QueryPlanSummary) {
    self.init()
    planSummary.indexesUsed = plan.indexesUsed.map { index in
      Google_Protobuf_Struct(fields: [
        "properties": .init(stringValue: index.properties),
        "query_scope": .init(stringValue: index.scope),
      ])
    }
  }

  /// Creates the metrics of a query that was run.
  ///
  /// - Parameters:
  ///   - results: The number of results that were returned.
  ///   - reads: The number of billed reads. 0 is reported as 1, because a query without results is
  ///     billed as one read.
  ///   - duration: The time that the query took. Less than a microsecond is reported as a
  ///     microsecond.
  init(
    _ plan: QueryPlanSummary,
    _ statistics: QueryStatistics,
    results: Int,
    reads: Int,
    duration: Duration
  ) {
    self.init(plan)
    let (seconds, attoseconds) = max(duration, .microseconds(1)).components
    executionStats.executionDuration = Google_Protobuf_Duration(
      seconds: seconds,
      nanos: Int32(attoseconds / 1_000_000_000)
    )
    executionStats.resultsReturned = Int64(results)
    executionStats.readOperations = Int64(max(1, reads))
    executionStats.debugStats = Google_Protobuf_Struct(fields: [
      "billing_details": .init(
        structValue: Google_Protobuf_Struct(fields: [
          "documents_billable": .init(count: reads),
          "index_entries_billable": .init(count: 0),
          "min_query_cost": .init(count: 0),
          "small_ops": .init(count: 0),
        ])
      ),
      "documents_scanned": .init(count: statistics.documentsScanned),
      "index_entries_scanned": .init(count: statistics.indexEntriesScanned),
    ])
  }
}

extension Google_Protobuf_Value {
  /// Creates a value from a count. Query explain reports counts as strings.
  fileprivate init(count: Int) { self.init(stringValue: String(count)) }
}
