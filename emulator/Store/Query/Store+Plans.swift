package import Core
package import FirestoreModel

extension Store {
  /// Returns the plan of a query without running it.
  ///
  /// - Throws: The same errors as running the query, except those that depend on the read time.
  package func explain(
    _ query: StructuredQuery,
    parent: ResourceName
  ) throws(StatusError) -> QueryPlanSummary {
    let prepared = try PreparedQuery(query, parent: parent)
    try indexes?.check(prepared)
    return prepared.plan
  }

  /// Returns the plan of a query's aggregations without running them.
  ///
  /// - Throws: The same errors as running the aggregations, except those that depend on the read
  ///   time.
  package func explain(
    _ aggregations: [Aggregation],
    over query: StructuredQuery,
    parent: ResourceName
  ) throws(StatusError) -> QueryPlanSummary {
    let prepared = try prepare(aggregations, over: query, parent: parent).query
    try indexes?.check(prepared)
    return prepared.plan
  }
}

extension PreparedQuery {
  /// The ideal indexes for the query's alternatives, which only query explain shows.
  var plan: QueryPlanSummary {
    var indexes: [QueryPlanSummary.Index] = []
    for alternative in alternatives {
      var definition = ScanPlan(alternative, self).range.definition
      for path in requiredFields where !definition.fields.contains(where: { $0.path == path }) {
        definition.fields.append(
          .init(path: path, mode: definition.isNameDescending ? .descending : .ascending)
        )
      }
      let index = QueryPlanSummary.Index(
        properties: definition.description(
          isReversed: order.isReversed,
          search: structured.findNearest
        ),
        scope: target.scopeName
      )
      if !indexes.contains(index) { indexes.append(index) }
    }
    return QueryPlanSummary(indexesUsed: indexes)
  }
}

extension QueryTarget {
  fileprivate var scopeName: String {
    if case .collection = selection { "Collection" } else { "Collection group" }
  }
}

extension IndexDefinition {
  /// Returns the index in the format of production's query explain, such as `(a ASC, __name__
  /// ASC)`.
  ///
  /// - Parameter isReversed: A Boolean value that indicates whether the index is read backward.
  fileprivate func description(
    isReversed: Bool,
    search: StructuredQuery.FindNearest?
  ) -> String {
    func direction(_ isDescending: Bool) -> String { isDescending != isReversed ? "DESC" : "ASC" }
    var parts = fields.map { field in
      switch field.mode {
      case .ascending: "\(field.path) \(direction(false))"
      case .descending: "\(field.path) \(direction(true))"
      case .contains: "\(field.path) CONTAINS"
      }
    }
    parts.append("__name__ \(direction(isNameDescending))")
    if let search {
      let dimensions = search.queryVector.mapValue?["value"]?.arrayValue?.count ?? 0
      parts.append("\(search.vectorField) VECTOR<\(dimensions)>")
    }
    return "(" + parts.joined(separator: ", ") + ")"
  }
}
