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

  /// A document with what it is sorted by.
  struct Row {
    let document: Document
    /// The values of the order's fields; the name, always last, is the document's.
    let values: [Value]
  }

  /// The fields, from the most significant on; then follows the name.
  let fields: [Key]
  let isNameDescending: Bool

  init(of query: StructuredQuery) {
    let explicit = query.orderBy.map {
      Key(path: $0.field.fieldPath, isDescending: $0.direction == .descending)
    }
    isNameDescending = explicit.last?.isDescending ?? false
    var fields = explicit.filter { $0.path != .documentName }
    // An explicit order by name leaves nothing for other fields to decide.
    if fields.count == explicit.count {
      let known = Set(fields.map(\.path))
      for path in (query.filter?.inequalityFields ?? []).subtracting(known).sorted()
      where path != .documentName {
        fields.append(Key(path: path, isDescending: isNameDescending))
      }
    }
    self.fields = fields
  }

  /// Nil if the document lacks a field of the order: then it isn't in the answer.
  func row(of document: Document) -> Row? {
    var values: [Value] = []
    for field in fields {
      guard let value = document.fields[field.path] else { return nil }
      values.append(value)
    }
    return Row(document: document, values: values)
  }

  func areInIncreasingOrder(_ left: Row, _ right: Row) -> Bool {
    for (index, field) in fields.enumerated() {
      let result = left.values[index].compare(to: right.values[index])
      if result != 0 { return (result < 0) != field.isDescending }
    }
    let (leftPath, rightPath) = (left.document.name.path, right.document.name.path)
    return isNameDescending ? rightPath < leftPath : leftPath < rightPath
  }

  /// Whether a row comes before the place a cursor stands for.
  ///
  /// A cursor stands before or after all the documents that have its values. Unlike a filter, it
  /// cuts through types.
  func isBefore(_ row: Row, _ cursor: StructuredQuery.Cursor) -> Bool {
    for (index, position) in (cursor.values ?? []).enumerated() {
      let isName = index >= fields.count
      let value = isName ? .reference(row.document.name.description) : row.values[index]
      let result = value.compare(to: position)
      let isDescending = isName ? isNameDescending : fields[index].isDescending
      if result != 0 { return (result < 0) != isDescending }
    }
    return cursor.before != true
  }
}

extension StructuredQuery.Filter {
  /// The fields that are compared by more than equality, anywhere in the filter.
  fileprivate var inequalityFields: Set<FieldPath> {
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
