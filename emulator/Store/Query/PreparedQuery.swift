import Core
import FirestoreModel

/// A valid query with the values derived from it.
struct PreparedQuery {
  var structured: StructuredQuery
  let database: DatabaseName
  let target: QueryTarget
  let order: QueryOrder
  /// The alternatives of the filter.
  let alternatives: [Conjunction]
  /// The position at which an earlier page ended, in the index of the order. It requires a query
  /// without filters.
  var resumeAfter: IndexPosition?

  /// The fields that a document must have in addition to the query's conditions.
  let requiredFields: [FieldPath]

  /// Validates a query and derives its values.
  ///
  /// - Parameters:
  ///   - aggregated: The aggregated fields. Documents without one of them don't count.
  ///   - parent: The root or a document, which need not exist. The query selects below it.
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for a query that Firestore refuses.
  init(
    _ query: StructuredQuery,
    parent: ResourceName,
    aggregated: [FieldPath] = []
  ) throws(StatusError) {
    target = try QueryTarget(query, parent: parent)
    try query.validate()
    try query.findNearest?.validate(in: query)
    try query.filter?.checkNames(of: parent.database)
    var query = query
    query.filter = query.filter?.comparingStored
    query.startAt = query.startAt?.comparingStored
    query.endAt = query.endAt?.comparingStored
    structured = query
    database = parent.database
    order = QueryOrder(of: query, aggregated: aggregated)
    alternatives = Conjunction.alternatives(of: query.filter)
    requiredFields = aggregated
  }

  /// The fields that the result shows, or `nil` for all.
  var mask: FieldMask? {
    structured.select.map { FieldMask(($0.fields ?? []).map(\.fieldPath)) }
  }

  /// Returns whether a document matches the query, apart from cursors, offset and limit.
  func matches(_ document: Document, _ key: KeyBytes) -> Bool {
    target.contains(document.name.path, key) && structured.filter?.matches(document) ?? true
      && order.fields.allSatisfy { document.fields[$0.path] != nil }
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
  /// The value for comparisons with stored values.
  ///
  /// Timestamps in an array or a map are truncated to microseconds, like stored ones. A timestamp
  /// on its own keeps its nanoseconds, so a finer one equals no stored timestamp. Source: Google's
  /// emulator.
  fileprivate var comparingStored: Value { typeOrder == .timestamp ? self : asStored }
}
