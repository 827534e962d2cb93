import Core
import FirestoreModel

/// A valid query with what is worked out of it once.
struct PreparedQuery {
  var structured: StructuredQuery
  let database: DatabaseName
  let target: QueryTarget
  let order: QueryOrder
  /// The alternatives of its filter.
  let alternatives: [Conjunction]
  /// Where an earlier page of a query without filters ended, in the index of its order.
  var resumeAfter: IndexPosition?

  /// What a document must have beside what the query asks for.
  let requiredFields: [FieldPath]

  /// - Parameters:
  ///   - aggregated: fields that are summed up; documents without one of them don't count.
  ///   - parent: The root or a document, which need not exist; the query looks below it.
  /// - Throws: `INVALID_ARGUMENT` in Firestore's words for a query it refuses.
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

  /// What its answer shows of a document; nil is all.
  var mask: FieldMask? {
    structured.select.map { FieldMask(($0.fields ?? []).map(\.fieldPath)) }
  }

  /// Whether a document of a name belongs to the answer but for cursors, offset and limit.
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
  /// The value to compare stored values with: the timestamps in an array or a map lose what is below a
  /// microsecond, as stored ones do. One by itself keeps it, and so equals none. Source: Google's
  /// emulator.
  fileprivate var comparingStored: Value { typeOrder == .timestamp ? self : asStored }
}
