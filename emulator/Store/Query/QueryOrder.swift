import FirestoreModel

/// The complete order of a query: the requested fields, then its inequality fields, then the name.
///
/// Appended fields take the direction of the last requested one. Every order ends with the name, so
/// no two documents tie.
struct QueryOrder {
  struct Key: Hashable {
    let path: FieldPath
    let isDescending: Bool
  }

  /// The fields, the most significant first. The document name follows them.
  let fields: [Key]
  let isNameDescending: Bool
  /// The index that has exactly this order.
  private(set) var definition = IndexDefinition.names

  /// Creates the order of a query.
  ///
  /// - Parameter aggregated: The aggregated fields. If a limit or an offset excludes documents, an
  ///   index with these fields decides which, as in production.
  init(of query: StructuredQuery, aggregated: [FieldPath] = []) {
    let explicit = query.orderBy.map {
      Key(path: $0.field.fieldPath, isDescending: $0.direction == .descending)
    }
    isNameDescending = explicit.last?.isDescending ?? false
    var fields = explicit.filter { $0.path != .documentName }
    let explicitFields = fields.count
    let known = Set(fields.map(\.path))
    for path in (query.filter?.inequalityFields ?? []).subtracting(known).sorted()
    where path != .documentName {
      fields.append(Key(path: path, isDescending: isNameDescending))
    }
    if query.limit != nil || query.offset > 0, explicit.count == explicitFields {
      for path in aggregated where !fields.contains(where: { $0.path == path }) {
        fields.append(Key(path: path, isDescending: isNameDescending))
      }
    }
    self.fields = fields
    definition = IndexDefinition(
      fields: fields.map { .init(path: $0.path, mode: mode(of: $0)) },
      isNameDescending: isNameDescending != isReversed
    )
  }

  /// A Boolean value that indicates whether the order is that of an index read backward.
  ///
  /// Indexes begin ascending, so that one index serves an order and its reverse.
  var isReversed: Bool { fields.first?.isDescending ?? isNameDescending }

  /// Returns the mode of a field in the index that has this order.
  func mode(of field: Key) -> IndexDefinition.Mode {
    field.isDescending == isReversed ? .ascending : .descending
  }

  /// Returns whether a row comes before another.
  func precedes(_ left: Row, _ right: Row) -> Bool {
    let keys = left.sortKey.compare(to: right.sortKey)
    if keys != 0 { return (keys < 0) != isReversed }
    let names = left.name.compare(to: right.name)
    return names != 0 && (names < 0) != isNameDescending
  }
}

/// A document in a query's result, with its position.
struct Row {
  let document: Document
  /// The key of the document's name.
  let name: KeyBytes
  /// The document's key in the index with the query's order; empty if nothing is left to sort.
  let sortKey: KeyBytes
}

extension StructuredQuery.Filter {
  /// The fields of all conditions.
  var paths: Set<FieldPath> {
    switch self {
    case .composite(_, let filters): filters.reduce(into: []) { $0.formUnion($1.paths) }
    case .field(let path, _, _), .unary(let path, _): [path]
    }
  }

  /// The fields with inequality conditions, anywhere in the filter.
  var inequalityFields: Set<FieldPath> {
    switch self {
    case .composite(_, let filters):
      filters.reduce(into: []) { $0.formUnion($1.inequalityFields) }
    case .field(let path, let op, _):
      switch op {
      case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn:
        [path]
      case .equal, .in, .arrayContains, .arrayContainsAny: []
      }
    case .unary(let path, let op):
      op == .isNotNull || op == .isNotNaN ? [path] : []
    }
  }
}
