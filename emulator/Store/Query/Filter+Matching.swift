import FirestoreModel

// The evaluation of filters on one document.

extension Document {
  /// Returns a field's value, or the document's name as a reference.
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
      // If the list contains null, no document matches.
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

  /// Compares a value with an operand if they have the same type.
  ///
  /// - Returns: A negative number if the value is less than the operand, zero if they are equal,
  ///   and a positive number if it is greater; or `nil` if the types differ or if either is null or
  ///   NaN.
  private static func compare(_ value: Value, _ operand: Value) -> Int? {
    guard value.typeOrder == operand.typeOrder, value != .null, !value.isNaN, !operand.isNaN else {
      return nil
    }
    return value.compare(to: operand)
  }
}
