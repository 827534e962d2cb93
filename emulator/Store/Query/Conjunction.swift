import FirestoreModel

/// An alternative of a filter: a conjunction of conditions on single fields.
///
/// A document matches an alternative if it meets all of the conditions.
struct Conjunction {
  let conditions: [StructuredQuery.Filter]

  /// Returns the alternatives of a filter, which are the conjunctions of its disjunctive normal
  /// form.
  ///
  /// An operator with a list of values, such as `in`, makes one alternative for each value.
  /// Alternatives that no document can match are left out.
  static func alternatives(of filter: StructuredQuery.Filter?) -> [Conjunction] {
    guard let filter else { return [Conjunction(conditions: [])] }
    return expand(filter).map(Conjunction.init).filter(\.isSatisfiable)
  }

  private static func expand(_ filter: StructuredQuery.Filter) -> [[StructuredQuery.Filter]] {
    switch filter {
    case .composite(.or, let filters): filters.flatMap(expand)
    case .composite(.and, let filters):
      filters.reduce([[]]) { product, next in
        let alternatives = expand(next)
        return product.flatMap { left in alternatives.map { left + $0 } }
      }
    case .field(let path, .in, let list): members(of: list).map { [.field(path, .equal, $0)] }
    case .field(let path, .arrayContainsAny, let list):
      members(of: list).map { [.field(path, .arrayContains, $0)] }
    case .field, .unary: [[filter]]
    }
  }

  /// Returns the distinct values of a list.
  private static func members(of list: Value) -> [Value] {
    var seen: Set<KeyBytes> = []
    return (list.arrayValue ?? []).filter { seen.insert(KeyBytes(whole: $0)).inserted }
  }

  /// A Boolean value that indicates whether a document can match.
  ///
  /// Comparisons with null or NaN are false for every value.
  private var isSatisfiable: Bool {
    conditions.allSatisfy { condition in
      guard case .field(_, let op, let operand) = condition else { return true }
      return switch op {
      case .notEqual, .notIn, .in, .arrayContainsAny: true
      case .equal, .arrayContains, .lessThan, .lessThanOrEqual, .greaterThan,
        .greaterThanOrEqual:
        operand != .null && !operand.isNaN
      }
    }
  }

  /// Returns the value that the conditions require of a field, or `nil` if they allow more than one
  /// value.
  func requiredValue(of path: FieldPath) -> Value? {
    for condition in conditions {
      switch condition {
      case .field(path, .equal, let value): return value
      case .unary(path, .isNull): return .null
      case .unary(path, .isNaN): return .double(.nan)
      default: continue
      }
    }
    return nil
  }

  /// The fields for which the conditions allow only one value, sorted by path.
  var fixedFields: [(path: FieldPath, value: Value)] {
    let paths = Set(conditions.map(\.path)).subtracting([.documentName])
    return paths.sorted().compactMap { path in requiredValue(of: path).map { (path, $0) } }
  }

  /// The element that an array field must contain, with the field's path, or `nil` if there is no
  /// such condition.
  var contained: (path: FieldPath, element: Value)? {
    for case .field(let path, .arrayContains, let element) in conditions {
      return (path, element)
    }
    return nil
  }
}

extension StructuredQuery.Filter {
  /// The field of a condition on a single field.
  var path: FieldPath {
    switch self {
    case .field(let path, _, _), .unary(let path, _): path
    case .composite: .documentName
    }
  }
}
