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
  /// - Throws: `INVALID_ARGUMENT` if there are too many.
  static func all(
    of filter: StructuredQuery.Filter?
  ) throws(StatusError) -> [FilterAlternative] {
    guard let filter else { return [FilterAlternative()] }
    switch filter {
    case .composite(.or, let filters):
      var alternatives: [FilterAlternative] = []
      for filter in filters { alternatives += try all(of: filter) }
      return try bounded(alternatives)
    case .composite(.and, let filters):
      var alternatives = [FilterAlternative()]
      for filter in filters {
        let next = try all(of: filter)
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
