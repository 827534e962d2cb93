import Core
import FirestoreModel

/// The requirements of one field in an alternative of a query's filter.
struct FieldRequirement {
  /// A condition in the terms of Firestore, without duplicates.
  private struct Condition: Hashable {
    var comparator: Constraint.Comparator
    var value: Value
  }

  private var conditions: [Condition] = []
  /// A Boolean value that indicates whether there are conditions that rules can't express.
  private var isRestricted = false

  /// A Boolean value that indicates whether one equality is the only condition.
  private var isEquality: Bool {
    conditions.count == 1 && conditions[0].comparator == .equal && !isRestricted
  }

  /// The value that the field has, or the constraint that its value meets.
  ///
  /// One equality is a value. Several conditions are a constraint even if they allow one value only,
  /// as in Google's emulator.
  var value: RulesValue {
    if isEquality { return RulesValue(conditions[0].value) }
    return .constraint(
      Constraint(conditions.map { .init($0.comparator, RulesValue($0.value)) })
    )
  }

  /// The only value that the field can have, if there is no further condition.
  var requiredValue: Value? { isEquality ? conditions[0].value : nil }

  /// Adds a condition that proves nothing in rules.
  mutating func restrict() { isRestricted = true }

  mutating func add(_ op: StructuredQuery.UnaryOperator) {
    switch op {
    case .isNull: require(.equal, .null)
    case .isNaN: require(.equal, .double(.nan))
    case .isNotNull: require(.notEqual, .null)
    case .isNotNaN: require(.notEqual, .double(.nan))
    }
  }

  mutating func add(_ op: StructuredQuery.FieldOperator, _ operand: Value) {
    switch op {
    case .lessThan: addRange(.less, operand)
    case .lessThanOrEqual: addRange(.lessOrEqual, operand)
    case .greaterThan: addRange(.greater, operand)
    case .greaterThanOrEqual: addRange(.greaterOrEqual, operand)
    case .equal: operand.isNullOrNaN ? addContradiction() : require(.equal, operand)
    case .notEqual: addDifference(operand)
    case .arrayContains:
      // No array matches null or NaN; Google's emulator has an empty list in their place.
      require(.contains, operand.isNullOrNaN ? .array([]) : operand)
    case .notIn: for value in operand.elements { addDifference(value) }
    case .in, .arrayContainsAny:
      // `FilterAlternative` has replaced these operators.
      break
    }
  }

  private mutating func require(_ comparator: Constraint.Comparator, _ value: Value) {
    let condition = Condition(comparator: comparator, value: value)
    if !conditions.contains(condition) { conditions.append(condition) }
  }

  /// Adds a condition that no document meets, because comparisons with null and NaN are false.
  private mutating func addContradiction() {
    require(.equal, .boolean(true))
    require(.equal, .boolean(false))
  }

  private mutating func addDifference(_ operand: Value) {
    switch operand {
    case .null: addContradiction()
    case .double(let double) where double.isNaN: require(.notEqual, .null)
    default: require(.notEqual, operand)
    }
  }

  /// Adds a condition on the order. Rules can't compare values of other types, so that a condition on
  /// them proves nothing.
  private mutating func addRange(_ comparator: Constraint.Comparator, _ operand: Value) {
    switch operand {
    case _ where operand.isNullOrNaN: addContradiction()
    case .integer, .double, .string, .bytes, .timestamp: require(comparator, operand)
    case .null, .boolean, .reference, .geoPoint, .array, .map: restrict()
    }
  }
}

extension Value {
  fileprivate var isNullOrNaN: Bool {
    if case .double(let double) = self { double.isNaN } else { self == .null }
  }

  fileprivate var elements: [Value] {
    if case .array(let values) = self { values } else { [] }
  }
}
