import Core
package import FirestoreModel

/// A validated query with the values derived from it.
struct PreparedQuery {
  var structured: StructuredQuery
  let database: DatabaseName
  let target: QueryTarget
  let order: QueryOrder
  /// The alternatives of the filter.
  let alternatives: [Conjunction]
  /// The position after which the result begins, in the index with the query's order. It is allowed
  /// only in a query without filters.
  var resumeAfter: IndexPosition?

  /// The fields that a document must have in order to be in the result, besides those of the
  /// query's conditions and order.
  let requiredFields: [FieldPath]

  /// Validates a query and derives its values.
  ///
  /// - Parameters:
  ///   - aggregated: The aggregated fields. Documents that lack one of them aren't in the result.
  ///   - parent: The document below which the query selects, or the root. The document need not
  ///     exist.
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for an invalid query.
  init(
    _ query: StructuredQuery,
    parent: ResourceName,
    aggregated: [FieldPath] = []
  ) throws(StatusError) {
    target = try QueryTarget(query, parent: parent)
    try query.validate()
    try query.findNearest?.validate(in: query)
    try query.filter?.checkNames(of: parent.database)
    structured = query.normalized
    database = parent.database
    order = QueryOrder(of: structured, aggregated: aggregated)
    alternatives = Conjunction.alternatives(of: structured.filter)
    requiredFields = aggregated
  }

  /// The fields that the query selects, or `nil` for all.
  var mask: FieldMask? {
    structured.select.map { FieldMask(($0.fields ?? []).map(\.fieldPath)) }
  }

  /// Returns whether a document matches the query, without regard to cursors, offset and limit.
  func matches(_ document: Document, _ key: KeyBytes) -> Bool {
    target.contains(document.name.path, key) && structured.filter?.matches(document) ?? true
      && order.fields.allSatisfy { document.fields[$0.path] != nil }
  }
}

extension StructuredQuery {
  /// The query as it is run: an empty collection ID is `nil`, and operands have the form that is
  /// compared with stored values.
  ///
  /// Checks need this form of a query, because it decides which documents match.
  package var normalized: StructuredQuery {
    var query = self
    for index in from.indices where from[index].collectionId?.isEmpty == true {
      query.from[index].collectionId = nil
    }
    query.filter = filter?.comparingStored
    query.startAt = startAt?.comparingStored
    query.endAt = endAt?.comparingStored
    return query
  }
}

extension StructuredQuery.Filter {
  fileprivate var comparingStored: Self {
    switch self {
    case .composite(let op, let filters): .composite(op, filters.map(\.comparingStored))
    case .field(let path, let op, let operand): .field(path, op, operand.comparingStored)
    case .unary: self
    }
  }
}

extension StructuredQuery.Cursor {
  fileprivate var comparingStored: Self { Self(values?.map(\.comparingStored), before: before) }
}

extension Value {
  /// The value in the form that is compared with stored values.
  ///
  /// A timestamp in an array or a map is truncated to microseconds, like stored ones. A timestamp
  /// that is itself the value keeps its nanoseconds. If it isn't a whole microsecond, it equals no
  /// stored timestamp. Source: Google's emulator.
  fileprivate var comparingStored: Value { typeOrder == .timestamp ? self : asStored }
}
