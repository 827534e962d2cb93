import Core
import FirestoreModel

// The queries that Firestore refuses, with the error texts of Google's emulator.

extension StructuredQuery {
  private static let maximumDisjunctions = 30

  /// Checks that Firestore would accept the query.
  ///
  /// - Throws: `INVALID_ARGUMENT` if Firestore refuses the query.
  func validate() throws(StatusError) {
    guard from.count <= 1 else {
      throw StatusError(
        .invalidArgument,
        "StructuredQuery.from cannot have more than one collection selector."
      )
    }
    if let id = from.first?.collectionId, !id.isEmpty { _ = try ResourcePath(segments: [id]) }
    guard offset >= 0 else { throw StatusError(.invalidArgument, "offset is negative") }
    guard limit ?? 0 >= 0 else { throw StatusError(.invalidArgument, "limit is negative") }
    // Source: cloud.google.com/firestore/quotas, filters and sort orders of a query.
    guard (filter?.conditionCount ?? 0) + orderBy.count <= 100 else {
      throw StatusError(
        .invalidArgument,
        "A query has at most 100 filters and sort orders."
      )
    }
    try validateOrder()
    for cursor in [startAt, endAt] { try validate(cursor) }
    for field in select?.fields ?? [] { try field.fieldPath.validateForQuery() }
    if let filter { try validate(filter) }
    // Fields with inequalities are appended to the requested order, but no field may follow the
    // document name.
    if orderBy.contains(where: { $0.field.fieldPath == .documentName }),
      !(filter?.inequalityFields ?? []).isSubset(of: Set(orderBy.map(\.field.fieldPath)))
    {
      throw Self.fieldsAfterName
    }
  }

  private static var fieldsAfterName: StatusError {
    StatusError(.invalidArgument, "order by clause cannot contain more fields after the key")
  }

  private func validateOrder() throws(StatusError) {
    var seen: Set<FieldPath> = []
    for order in orderBy {
      let path = order.field.fieldPath
      try path.validateForQuery()
      if seen.contains(.documentName) {
        throw Self.fieldsAfterName
      }
      guard seen.insert(path).inserted else {
        throw StatusError(
          .invalidArgument,
          "order by clause cannot contain duplicate fields \(path)"
        )
      }
    }
  }

  private func validate(_ cursor: Cursor?) throws(StatusError) {
    let values = cursor?.values ?? []
    guard values.count <= orderBy.count else {
      throw StatusError(.invalidArgument, "Cursor has too many values.")
    }
    for (value, order) in zip(values, orderBy) where order.field.fieldPath == .documentName {
      guard case .reference(let name) = value else {
        throw StatusError(
          .invalidArgument,
          "Cursor __key__ value is not a document reference."
        )
      }
      _ = try DocumentName(name)
    }
  }

  private func validate(_ filter: Filter) throws(StatusError) {
    try filter.validate()
    let leaves = filter.leaves
    if leaves.contains(where: { $0.isOperator(.notIn) }) {
      let isDisjunction =
        filter.containsOr
        || leaves.contains { $0.isOperator(.in) || $0.isOperator(.arrayContainsAny) }
      if isDisjunction {
        throw StatusError(
          .invalidArgument,
          "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
        )
      }
    }
    guard leaves.count(where: \.isNegative) <= 1 else {
      throw StatusError(
        .invalidArgument,
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
          + "query."
      )
    }
    let disjunctions = filter.disjunctionCount
    guard disjunctions <= Self.maximumDisjunctions else {
      throw StatusError(
        .invalidArgument,
        "Too many disjunctions after normalization. Result had \(disjunctions) disjunctions which "
          + "is more than the maximum of \(Self.maximumDisjunctions)"
      )
    }
    guard filter.mostArrayContains <= 1 else {
      throw StatusError(
        .invalidArgument,
        "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
      )
    }
    let compared = filter.inequalityFields
    guard
      compared.isEmpty || compared.contains(.documentName) || !leaves.contains(where: \.isEqualName)
    else {
      throw StatusError(
        .invalidArgument,
        "Equality on key is not allowed if there are other inequality fields and key does not appear "
          + "in inequalities."
      )
    }
  }
}

extension FieldPath {
  fileprivate func validateForQuery() throws(StatusError) {
    if self != .documentName { try DocumentLimits.check(self) }
  }
}

extension StructuredQuery.Filter {
  fileprivate func validate() throws(StatusError) {
    switch self {
    case .composite(let op, let filters):
      if op == .or && filters.isEmpty {
        throw StatusError(
          .invalidArgument,
          "Composite filter must have at least one sub-filter."
        )
      }
      for filter in filters { try filter.validate() }
    case .unary(let path, _):
      guard path != .documentName else { throw Self.notAKey }
      try path.validateForQuery()
    case .field(let path, let op, let operand):
      try path.validateForQuery()
      let operands = try op.operands(of: operand)
      guard path == .documentName else { return }
      if op == .arrayContains || op == .arrayContainsAny {
        throw StatusError(.invalidArgument, "the name __key__ is reserved")
      }
      for operand in operands {
        guard case .reference(let name) = operand else { throw Self.notAKey }
        _ = try DocumentName(name)
      }
    }
  }

  /// Checks that conditions on document names refer to the query's database.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a name of another database.
  func checkNames(of database: DatabaseName) throws(StatusError) {
    for case .field(.documentName, _, let operand) in leaves {
      for case .reference(let text) in operand.arrayValue ?? [operand] {
        let name = try DocumentName(text)
        guard name.database == database else {
          throw StatusError(
            .invalidArgument,
            "The request was for database '\(database)' but was attempting to access database "
              + "'\(name.database)'"
          )
        }
      }
    }
  }

  private static var notAKey: StatusError {
    StatusError(.invalidArgument, "__key__ filter value must be a Key")
  }

  /// The number of conditions in the filter, at any depth.
  fileprivate var conditionCount: Int {
    if case .composite(_, let filters) = self {
      filters.reduce(0) { $0 + $1.conditionCount }
    } else {
      1
    }
  }

  /// The conditions in the filter, at any depth.
  fileprivate var leaves: [StructuredQuery.Filter] {
    if case .composite(_, let filters) = self { filters.flatMap(\.leaves) } else { [self] }
  }

  fileprivate var containsOr: Bool {
    guard case .composite(let op, let filters) = self else { return false }
    return op == .or || filters.contains(where: \.containsOr)
  }

  fileprivate func isOperator(_ wanted: StructuredQuery.FieldOperator) -> Bool {
    if case .field(_, wanted, _) = self { true } else { false }
  }

  /// A Boolean value that indicates whether the filter is an `equal` or `in` condition on the
  /// document name.
  fileprivate var isEqualName: Bool {
    guard case .field(.documentName, let op, _) = self else { return false }
    return op == .equal || op == .in
  }

  fileprivate var isNegative: Bool {
    switch self {
    case .field(_, let op, _): op == .notEqual || op == .notIn
    case .unary(_, let op): op == .isNotNaN || op == .isNotNull
    case .composite: false
    }
  }

  /// The number of conjunctions in the filter's disjunctive normal form. A condition with a list of
  /// values counts once for each value.
  fileprivate var disjunctionCount: Int {
    switch self {
    case .composite(.or, let filters): filters.reduce(0) { $0 + $1.disjunctionCount }
    case .composite(.and, let filters):
      // Cap the product, so that it doesn't overflow.
      filters.reduce(1) { min($0 * $1.disjunctionCount, 1_000_000) }
    case .field(_, .in, let list), .field(_, .arrayContainsAny, let list):
      Set(list.arrayValue ?? []).count
    case .field, .unary: 1
    }
  }

  /// The maximum number of array conditions in one conjunction of the filter's disjunctive normal
  /// form.
  fileprivate var mostArrayContains: Int {
    switch self {
    case .composite(.and, let filters): filters.reduce(0) { $0 + $1.mostArrayContains }
    case .composite(.or, let filters): filters.map(\.mostArrayContains).max() ?? 0
    case .field(_, let op, _): op == .arrayContains || op == .arrayContainsAny ? 1 : 0
    case .unary: 0
    }
  }
}

extension StructuredQuery.FieldOperator {
  /// Returns the values to compare with: the values of a list, or the operand itself.
  fileprivate func operands(of operand: Value) throws(StatusError) -> [Value] {
    let most: Int
    switch self {
    case .in, .arrayContainsAny: most = 30
    case .notIn: most = 10
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual,
      .arrayContains:
      return [operand]
    }
    guard let values = operand.arrayValue else {
      throw StatusError(.invalidArgument, "'\(rawValue)' requires an ArrayValue.")
    }
    guard !values.isEmpty else {
      throw StatusError(.invalidArgument, "'\(rawValue)' requires an non-empty ArrayValue.")
    }
    guard values.count <= most else {
      throw StatusError(
        .invalidArgument,
        "'\(rawValue)' supports up to \(most) comparison values."
      )
    }
    return values
  }
}
