import Core
import FirestoreModel

/// An alternative of a query's filter: the conditions of one conjunction of its disjunctive normal
/// form.
struct FilterAlternative {
  /// The most alternatives. Firestore refuses queries with more than 30.
  private static let maximumCount = 100

  private(set) var conditions: [StructuredQuery.Filter] = []

  /// Returns the alternatives of a filter. An operator with a list of values, such as `in`, makes one
  /// alternative for each value.
  ///
  /// A whole number that the filter writes as a double is an alternative as an integer, too, and a
  /// zero is one with the other sign: to Firestore they are equal, but not to rules such as
  /// `!(x in [3])` or `3.0 in x`.
  ///
  /// - Throws: `INVALID_ARGUMENT` if there are too many.
  static func all(
    of filter: StructuredQuery.Filter?
  ) throws(StatusError) -> [FilterAlternative] {
    guard let filter else { return [FilterAlternative()] }
    return try normalForm(of: filter).flatMap { alternative in
      var variants = [alternative]
      for replace in [\Value.withIntegers, \Value.withOppositeZeros] {
        let variant = FilterAlternative(
          conditions: alternative.conditions.map { $0.replacingOperand(replace) }
        )
        if variant.conditions != alternative.conditions { variants.append(variant) }
      }
      return variants
    }
  }

  private static func normalForm(
    of filter: StructuredQuery.Filter
  ) throws(StatusError) -> [FilterAlternative] {
    switch filter {
    case .composite(.or, let filters):
      var alternatives: [FilterAlternative] = []
      for filter in filters { alternatives += try normalForm(of: filter) }
      return try bounded(alternatives)
    case .composite(.and, let filters):
      var alternatives = [FilterAlternative()]
      for filter in filters {
        let next = try normalForm(of: filter)
        guard alternatives.count * next.count <= maximumCount else { throw tooMany }
        alternatives = alternatives.flatMap { left in
          next.map { FilterAlternative(conditions: left.conditions + $0.conditions) }
        }
      }
      return alternatives
    case .field(let path, .in, .array(let values)):
      return try bounded(values.map { FilterAlternative(conditions: [.field(path, .equal, $0)]) })
    case .field(let path, .arrayContainsAny, .array(let values)):
      return try bounded(
        values.map { FilterAlternative(conditions: [.field(path, .arrayContains, $0)]) }
      )
    case .field, .unary: return [FilterAlternative(conditions: [filter])]
    }
  }

  private static func bounded(
    _ alternatives: [FilterAlternative]
  ) throws(StatusError) -> [FilterAlternative] {
    guard alternatives.count <= maximumCount else { throw tooMany }
    return alternatives
  }

  private static var tooMany: StatusError {
    StatusError(
      .invalidArgument,
      "The query's filter has more than \(maximumCount) disjunctions after normalization."
    )
  }
}

extension StructuredQuery.Filter {
  /// Returns the condition with another operand, if it requires a value.
  fileprivate func replacingOperand(_ operand: KeyPath<Value, Value>) -> StructuredQuery.Filter {
    switch self {
    case .field(let path, .equal, let value): .field(path, .equal, value[keyPath: operand])
    case .field(let path, .arrayContains, let value):
      .field(path, .arrayContains, value[keyPath: operand])
    default: self
    }
  }
}

extension Value {
  /// The value with integers in place of whole doubles.
  fileprivate var withIntegers: Value {
    mappingDoubles { double in Int64(exactly: double).map { .integer($0) } ?? .double(double) }
  }

  /// The value with zeros of the opposite sign.
  fileprivate var withOppositeZeros: Value {
    mappingDoubles { double in .double(double == 0 ? -double : double) }
  }

  private func mappingDoubles(_ transform: (Double) -> Value) -> Value {
    switch self {
    case .double(let double): transform(double)
    case .array(let values): .array(values.map { $0.mappingDoubles(transform) })
    case .map(let fields): .map(fields.mapValues { $0.mappingDoubles(transform) })
    case .null, .boolean, .integer, .timestamp, .string, .bytes, .reference, .geoPoint: self
    }
  }
}
