import FirestoreModel

/// A plan for one alternative of a query: the index range to read, and the conditions to check on
/// each document.
struct ScanPlan {
  var range: IndexRange
  /// The conditions that the range doesn't guarantee.
  private(set) var residual: [StructuredQuery.Filter]

  /// Creates a plan with the ideal index for an alternative in the query's order.
  ///
  /// The index has the fields that the alternative limits to one value, then an array field that
  /// must contain an element, then the fields of the order. So all entries in the range are in the
  /// query's order, and reading can stop at the limit.
  init(_ alternative: Conjunction, _ query: PreparedQuery) {
    var builder = Builder(query: query, residual: alternative.conditions)
    builder.addFixed(alternative)
    builder.addOrder(alternative)
    for (cursor, isStart) in [(query.structured.startAt, true), (query.structured.endAt, false)] {
      if let cursor, cursor.values?.isEmpty == false { builder.add(cursor, isStart, alternative) }
    }
    if let position = query.resumeAfter { builder.resume(after: position) }
    range = builder.range
    residual = builder.residual
  }

  /// Creates a plan for all documents that match one condition, or returns `nil` if no range of a
  /// single-field index contains them.
  init?(condition: StructuredQuery.Filter, of query: PreparedQuery) {
    let path = condition.path
    guard path != .documentName else { return nil }
    var builder = Builder(query: query, residual: [])
    let alternative = Conjunction(conditions: [condition])
    builder.addFixed(alternative)
    if builder.fields.isEmpty {
      builder.fields = [.init(path: path, mode: .ascending)]
      guard builder.addBounds(condition, mode: .ascending) else { return nil }
    }
    range = builder.range
    residual = []
  }
}

private struct Builder {
  let query: PreparedQuery
  var residual: [StructuredQuery.Filter]
  var fields: [IndexDefinition.Field] = []
  private var prefix = KeyBytes()
  private var lower: [IndexBound] = []
  private var upper: [IndexBound] = []
  private var isNameDescending = false

  init(query: PreparedQuery, residual: [StructuredQuery.Filter]) {
    self.query = query
    self.residual = residual
  }

  var range: IndexRange {
    var range = IndexRange(
      definition: IndexDefinition(fields: fields, isNameDescending: isNameDescending),
      lower: lower,
      upper: upper
    )
    if !prefix.isEmpty {
      range.lower.append(IndexBound(key: prefix, isAfter: false))
      range.upper.append(IndexBound(key: prefix, isAfter: true))
    }
    return range
  }

  mutating func addFixed(_ alternative: Conjunction) {
    for (path, value) in alternative.fixedFields {
      fields.append(.init(path: path, mode: .ascending))
      append(value) { $0.fixes(path, to: value) }
    }
    if let (path, element) = alternative.contained {
      fields.append(.init(path: path, mode: .contains))
      append(element) { $0 == .field(path, .arrayContains, element) }
    }
  }

  /// Appends a value to the prefix that all keys in the range have.
  ///
  /// - Parameter isCovered: A closure that returns whether the prefix guarantees a condition.
  private mutating func append(_ value: Value, isCovered: (StructuredQuery.Filter) -> Bool) {
    let part = KeyBytes(value)
    prefix.append(part)
    if part.count < KeyBytes.maximumIndexedBytes { residual.removeAll(where: isCovered) }
  }

  mutating func addOrder(_ alternative: Conjunction) {
    let order = query.order
    isNameDescending = order.isNameDescending != order.isReversed
    let free = order.fields.filter { alternative.requiredValue(of: $0.path) == nil }
    for field in free { fields.append(.init(path: field.path, mode: order.mode(of: field))) }
    let conditions = residual
    if let first = free.first {
      residual = conditions.filter { condition in
        guard condition.path == first.path,
          addBounds(condition, mode: order.mode(of: first))
        else { return true }
        return !condition.isRange || !condition.operandIsShort
      }
    } else {
      residual = conditions.filter { !addNameBounds($0) }
      addTarget()
    }
  }

  /// Narrows the range by a condition on the field after the prefix.
  ///
  /// - Returns: A Boolean value that indicates whether the condition has narrowed the range. The
  ///   range may still contain entries that don't meet the condition.
  mutating func addBounds(
    _ condition: StructuredQuery.Filter,
    mode: IndexDefinition.Mode
  ) -> Bool {
    switch condition {
    case .field(_, let op, let operand):
      let (part, type) = (KeyBytes(operand), operand.typeOrder)
      let (first, last) = (KeyBytes(startOf: type), KeyBytes(endOf: type))
      // Keys of long values are truncated. So if the operand is long, values with the same key may
      // be on either side of it.
      let isExact = condition.operandIsShort
      switch op {
      case .greaterThan: add(part, isLower: true, isAfter: isExact, mode)
      case .greaterThanOrEqual: add(part, isLower: true, isAfter: false, mode)
      case .lessThan: add(part, isLower: false, isAfter: !isExact, mode)
      case .lessThanOrEqual: add(part, isLower: false, isAfter: true, mode)
      case .notEqual, .notIn:
        add(KeyBytes(.null), isLower: true, isAfter: true, mode)
        return true
      case .equal, .in, .arrayContains, .arrayContainsAny: return false
      }
      // A comparison matches only values of the operand's type.
      add(first, isLower: true, isAfter: false, mode)
      add(last, isLower: false, isAfter: false, mode)
    case .unary(_, .isNotNull), .unary(_, .isNotNaN):
      add(KeyBytes(.null), isLower: true, isAfter: true, mode)
    case .unary, .composite: return false
    }
    return true
  }

  /// Adds a bound on the field after the prefix.
  ///
  /// - Parameter isAfter: A Boolean value that indicates whether the bound comes after the entries
  ///   whose field begins with `part`.
  private mutating func add(
    _ part: KeyBytes,
    isLower: Bool,
    isAfter: Bool,
    _ mode: IndexDefinition.Mode
  ) {
    var key = prefix
    if mode == .descending { key.appendDescending(part) } else { key.append(part) }
    let bound = IndexBound(key: key, isAfter: isAfter != (mode == .descending))
    if isLower != (mode == .descending) { lower.append(bound) } else { upper.append(bound) }
  }

  // MARK: Names

  /// Narrows the range to the document names that meet a condition.
  ///
  /// - Returns: A Boolean value that indicates whether all entries in the range meet the condition.
  private mutating func addNameBounds(_ condition: StructuredQuery.Filter) -> Bool {
    guard case .field(.documentName, let op, .reference(let text)) = condition,
      let name = try? DocumentName(text), name.database == query.database
    else { return false }
    let key = KeyBytes(name.path)
    switch op {
    case .equal:
      addName(key, isLower: true, isAfter: false)
      addName(key, isLower: false, isAfter: true)
    case .greaterThan: addName(key, isLower: true, isAfter: true)
    case .greaterThanOrEqual: addName(key, isLower: true, isAfter: false)
    case .lessThan: addName(key, isLower: false, isAfter: false)
    case .lessThanOrEqual: addName(key, isLower: false, isAfter: true)
    case .notEqual, .in, .notIn, .arrayContains, .arrayContainsAny: return false
    }
    return true
  }

  private mutating func addName(_ name: KeyBytes, isLower: Bool, isAfter: Bool) {
    let bound = IndexBound(key: prefix, name: name, isAfter: isAfter != isNameDescending)
    if isLower != isNameDescending { lower.append(bound) } else { upper.append(bound) }
  }

  /// Narrows the range to the descendants of the query's parent, which are adjacent in the order of
  /// names.
  private mutating func addTarget() {
    let target = query.target
    guard target.isNarrowerThanItsScope else { return }
    addName(target.prefix, isLower: true, isAfter: true)
    addName(target.prefix.successor, isLower: false, isAfter: false)
  }

  // MARK: Cursors

  mutating func add(
    _ cursor: StructuredQuery.Cursor,
    _ isStart: Bool,
    _ alternative: Conjunction
  ) {
    // If the index is read backward, a start cursor is an upper bound.
    let isReversed = query.order.isReversed
    let isLower = isStart != isReversed
    var key = prefix
    var name: KeyBytes?
    // Indicates whether a row whose values equal all of the cursor's values comes before the
    // cursor.
    var areBefore = cursor.before != true
    values: for (value, order) in zip(cursor.values ?? [], query.structured.orderBy) {
      let path = order.field.fieldPath
      let isDescending = order.direction == .descending
      if path == .documentName {
        guard let place = self.name(of: value) else { return }
        switch place {
        case .here(let key): name = key
        case .elsewhere(let isAbove): areBefore = isAbove != isDescending
        }
      } else if let fixed = alternative.requiredValue(of: path) {
        let result = KeyBytes(fixed).compare(to: KeyBytes(value))
        if result != 0 {
          areBefore = (result < 0) != isDescending
          break values
        }
      } else if isDescending == isReversed {
        key.append(value)
      } else {
        key.appendDescending(KeyBytes(value))
      }
    }
    let bound = IndexBound(key: key, name: name, isAfter: areBefore != isReversed)
    if isLower { lower.append(bound) } else { upper.append(bound) }
  }

  mutating func resume(after position: IndexPosition) {
    let isReversed = query.order.isReversed
    let bound = IndexBound(key: position.key, name: position.name, isAfter: !isReversed)
    if isReversed { upper.append(bound) } else { lower.append(bound) }
  }

  private enum NamePlace {
    case here(KeyBytes)
    /// A name in another database. All names in that database sort above or below the names in this
    /// one.
    case elsewhere(isAbove: Bool)
  }

  private func name(of value: Value) -> NamePlace? {
    guard case .reference(let text) = value, let name = try? DocumentName(text) else {
      return nil
    }
    let result = orderBytes(
      name.database.description.utf8,
      query.database.description.utf8
    )
    return result == 0 ? .here(KeyBytes(name.path)) : .elsewhere(isAbove: result > 0)
  }
}

extension StructuredQuery.Filter {
  fileprivate func fixes(_ path: FieldPath, to value: Value) -> Bool {
    switch self {
    case .field(path, .equal, value): true
    case .unary(path, .isNull): value == .null
    case .unary(path, .isNaN): value.isNaN
    default: false
    }
  }

  /// A Boolean value that indicates whether bounds of a range can express the condition exactly.
  fileprivate var isRange: Bool {
    guard case .field(_, let op, _) = self else { return false }
    return switch op {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: true
    case .equal, .notEqual, .in, .notIn, .arrayContains, .arrayContainsAny: false
    }
  }

  fileprivate var operandIsShort: Bool {
    guard case .field(_, _, let operand) = self else { return true }
    return KeyBytes(operand).count < KeyBytes.maximumIndexedBytes
  }
}
