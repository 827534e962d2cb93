package import FirestoreModel

/// A number that is computed from a query's whole result.
package struct Aggregation: Hashable, Sendable {
  package enum Operator: Hashable, Sendable {
    /// The number of documents, counted up to a bound if there is one.
    case count(upTo: Int64?)
    case sum(FieldPath)
    case average(FieldPath)
  }

  /// The name of the number in the answer. If it is empty, the answer has `field_1`, `field_2`… in
  /// order.
  package var alias: String
  package var `operator`: Operator

  package init(_ alias: String, _ operator: Operator) {
    self.alias = alias
    self.operator = `operator`
  }
}

package struct AggregationAnswer: Sendable {
  /// The numbers by alias.
  package var fields: Fields
  let cursor: QueryCursor

  package var readTime: Timestamp { cursor.readTime }
  package var plan: QueryPlanSummary { cursor.plan }
  package var statistics: QueryStatistics { cursor.statistics }
}
