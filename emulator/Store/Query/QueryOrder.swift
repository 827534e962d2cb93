import FirestoreModel

/// The complete order of a query: what it asks for, then the fields it compares, then the name.
///
/// Appended entries take the direction of the last one asked for. Every order ends with the name,
/// so no two documents tie.
struct QueryOrder {
  struct Key: Hashable {
    let path: FieldPath
    let isDescending: Bool
  }

  /// The fields, from the most significant on; then follows the name.
  let fields: [Key]
  let isNameDescending: Bool
  /// The index that has this order and no more.
  private(set) var definition = IndexDefinition.names

  /// - Parameter aggregated: fields that are summed up: where not all documents count, an index
  ///   that has these decides which do, as in production.
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

  /// Whether the order is that of an index read backwards. Indexes begin ascending, so that one
  /// serves an order and its reverse.
  var isReversed: Bool { fields.first?.isDescending ?? isNameDescending }

  /// How the index that has this order has a field.
  func mode(of field: Key) -> IndexDefinition.Mode {
    field.isDescending == isReversed ? .ascending : .descending
  }

  /// Whether a row's place is before another's.
  func precedes(_ left: Row, _ right: Row) -> Bool {
    let keys = left.sortKey.compare(to: right.sortKey)
    if keys != 0 { return (keys < 0) != isReversed }
    let names = left.name.compare(to: right.name)
    return names != 0 && (names < 0) != isNameDescending
  }
}

/// A document in a query's answer, with its place there.
struct Row {
  let document: Document
  /// The key of the document's name.
  let name: KeyBytes
  /// Its key in the index that has the query's order; empty where nothing is left to sort.
  let sortKey: KeyBytes
}

extension StructuredQuery.Filter {
  /// The fields of all its conditions.
  var paths: Set<FieldPath> {
    switch self {
    case .composite(_, let filters): filters.reduce(into: []) { $0.formUnion($1.paths) }
    case .field(let path, _, _), .unary(let path, _): [path]
    }
  }

  /// The fields that are compared by more than equality, anywhere in the filter.
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
