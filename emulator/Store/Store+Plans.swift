package import FirestoreModel
package import RPCStatus

extension Store {
  /// How a query would be answered, without running it.
  ///
  /// - Throws: What running it would throw.
  package func explain(
    _ query: StructuredQuery,
    parent: ResourceName
  ) throws(StatusError) -> QueryPlanSummary {
    try summary(of: PreparedQuery(query, parent: parent))
  }

  /// - Throws: `FAILED_PRECONDITION` if the query needs an index there isn't.
  func summary(of query: PreparedQuery) throws(StatusError) -> QueryPlanSummary {
    try indexes?.check(query)
    var indexes: [QueryPlanSummary.Index] = []
    for alternative in Conjunction.alternatives(of: query.structured.filter) {
      let definition = ScanPlan(alternative, query).range.definition
      let index = QueryPlanSummary.Index(
        properties: definition.description(
          isReversed: query.order.isReversed,
          search: query.structured.findNearest
        ),
        scope: query.target.scopeName
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
  /// As production's explain writes it, `(a ASC, __name__ ASC)`.
  ///
  /// - Parameter isReversed: whether the index is read backwards.
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
