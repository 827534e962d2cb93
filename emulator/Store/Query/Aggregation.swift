package import FirestoreModel

/// A count, a sum or an average over a query's result.
package struct Aggregation: Hashable, Sendable {
  package enum Operator: Hashable, Sendable {
    /// The number of documents, or the bound if there are more.
    case count(upTo: Int64?)
    case sum(FieldPath)
    case average(FieldPath)
  }

  /// The name of the value in the response. Values without a name are named `field_1`, `field_2`
  /// and so on, by their positions.
  package var alias: String
  package var `operator`: Operator

  package init(_ alias: String, _ operator: Operator) {
    self.alias = alias
    self.operator = `operator`
  }
}

package struct AggregationAnswer: Sendable {
  /// The results of the aggregations, by alias.
  package var fields: Fields
  let cursor: QueryCursor

  package var readTime: Timestamp { cursor.readTime }
  package var plan: QueryPlanSummary { cursor.plan }
  package var statistics: QueryStatistics { cursor.statistics }
}
