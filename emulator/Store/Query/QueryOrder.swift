import FirestoreModel

/// The complete order of a query's result.
///
/// The result is sorted by the fields that the query requests, then by the fields with inequality
/// conditions, then by document name.
///
/// Fields that weren't requested have the direction of the last requested field. Because every
/// order ends with the name, no two documents have the same position.
struct QueryOrder {
  struct Key: Hashable {
    let path: FieldPath
    let isDescending: Bool
  }

  /// The fields before the document name, the most significant first.
  let fields: [Key]
  let isNameDescending: Bool
  /// The index that has this order, read forward or backward.
  private(set) var definition = IndexDefinition.names

  /// Creates the order of a query.
  ///
  /// - Parameter aggregated: The aggregated fields. If the query has a limit or an offset, the
  ///   result is also sorted by these fields, as in production, where the index contains them.
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

  /// A Boolean value that indicates whether the index is read backward.
  ///
  /// The first field of an index is always ascending. An order and its reverse use the same index.
  var isReversed: Bool { fields.first?.isDescending ?? isNameDescending }

  /// Returns the mode of a field in the index that is used for this order.
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
  /// The document's key in the index with the query's order, or an empty key if the rows need no
  /// further sorting.
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
