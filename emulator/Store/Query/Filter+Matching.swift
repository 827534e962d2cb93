import FirestoreModel

// What a filter says of one document.

extension Document {
  /// A field's value, or the document's name as a reference.
  func value(at path: FieldPath) -> Value? {
    path == .documentName ? .reference(name.description) : fields[path]
  }
}

extension StructuredQuery.Filter {
  func matches(_ document: Document) -> Bool {
    switch self {
    case .composite(.and, let filters): filters.allSatisfy { $0.matches(document) }
    case .composite(.or, let filters): filters.contains { $0.matches(document) }
    case .field(let path, let op, let operand):
      document.value(at: path).map { op.holds(for: $0, operand) } ?? false
    case .unary(let path, let op): document.value(at: path).map(op.holds) ?? false
    }
  }
}

extension StructuredQuery.UnaryOperator {
  fileprivate func holds(for value: Value) -> Bool {
    switch self {
    case .isNull: value == .null
    case .isNaN: value.isNaN
    case .isNotNull: value != .null
    case .isNotNaN: value != .null && !value.isNaN
    }
  }
}

extension StructuredQuery.FieldOperator {
  fileprivate func holds(for value: Value, _ operand: Value) -> Bool {
    switch self {
    case .lessThan: Self.compare(value, operand).map { $0 < 0 } ?? false
    case .lessThanOrEqual: Self.compare(value, operand).map { $0 <= 0 } ?? false
    case .greaterThan: Self.compare(value, operand).map { $0 > 0 } ?? false
    case .greaterThanOrEqual: Self.compare(value, operand).map { $0 >= 0 } ?? false
    case .equal: Self.compare(value, operand) == 0
    case .notEqual:
      value != .null && operand != .null && Self.compare(value, operand) != 0
    case .in: (operand.arrayValue ?? []).contains { Self.compare(value, $0) == 0 }
    case .notIn:
      // One null in the list means that no document can be told to be outside of it.
      value != .null
        && (operand.arrayValue ?? []).allSatisfy { $0 != .null && Self.compare(value, $0) != 0 }
    case .arrayContains:
      (value.arrayValue ?? []).contains { Self.compare($0, operand) == 0 }
    case .arrayContainsAny:
      (value.arrayValue ?? []).contains { element in
        (operand.arrayValue ?? []).contains { Self.compare(element, $0) == 0 }
      }
    }
  }

  /// How a value stands to an operand of the same type; nil if the types differ or one of the two
  /// is null or NaN, which no comparison accepts.
  private static func compare(_ value: Value, _ operand: Value) -> Int? {
    guard value.typeOrder == operand.typeOrder, value != .null, !value.isNaN, !operand.isNaN else {
      return nil
    }
    return value.compare(to: operand)
  }
}
