package import FirestoreModel

/// One number made of a query's whole result.
package struct Aggregation: Hashable, Sendable {
  package enum Operator: Hashable, Sendable {
    /// How many documents, counted up to a bound if there is one.
    case count(upTo: Int64?)
    case sum(FieldPath)
    case average(FieldPath)
  }

  /// What the answer calls it; empty: `field_1`, `field_2`… in order.
  package var alias: String
  package var `operator`: Operator

  package init(_ alias: String, _ operator: Operator) {
    self.alias = alias
    self.operator = `operator`
  }
}

package struct AggregationAnswer: Sendable {
  /// By alias.
  package var fields: Fields
  let cursor: QueryCursor

  package var readTime: Timestamp { cursor.readTime }
  package var plan: QueryPlanSummary { cursor.plan }
  package var statistics: QueryStatistics { cursor.statistics }
}
