import Core
import FirestoreModel

// What a constraint proves.

extension Constraint {
  /// Returns the result of an operator with at least one constraint as an operand.
  ///
  /// - Throws: An error unless the result is the same whatever the value is.
  static func apply(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> RulesValue {
    let isProven: Bool
    switch (op, left, right) {
    case (_, .constraint, .constraint): isProven = false
    case (.in, _, .constraint(let constraint)): isProven = try constraint.contains(left)
    case (.in, .constraint(let constraint), .list(let elements)):
      for element in elements where try !constraint.excludes(element) { throw .unproven }
      return .boolean(false)
    case (.in, _, _): isProven = false
    case (_, .constraint(let constraint), _):
      guard let comparison = Comparator(op) else { throw RulesValue.unsupported(op, left, right) }
      isProven = try constraint.implies(comparison, right)
    case (_, _, .constraint(let constraint)):
      guard let comparison = Comparator(op) else { throw RulesValue.unsupported(op, left, right) }
      isProven = try constraint.implies(comparison.mirrored, left)
    default: isProven = false
    }
    guard isProven else { throw .unproven }
    return .boolean(true)
  }

  /// Returns the result of a method, or `nil` if constraints have no such method.
  func call(
    _ method: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue? {
    switch (method, arguments.first) {
    case ("hasAny", .list(let elements)?) where arguments.count == 1:
      for element in elements where try contains(element) { return .boolean(true) }
      throw .unproven
    case ("hasAll", .list(let elements)?) where arguments.count == 1 && isOfKeys:
      for element in elements where try !contains(element) { throw .unproven }
      return .boolean(true)
    default: return nil
    }
  }

  /// Returns whether one of the conditions requires a list with an element.
  private func contains(_ element: RulesValue) throws(EvaluationError) -> Bool {
    for condition in conditions where condition.comparator == .contains {
      // As an element of a list, 1 is not 1.0.
      guard condition.value.type == element.type else { continue }
      if try RulesValue.areEqual(condition.value, element) { return true }
    }
    return false
  }

  /// Returns whether no value that meets the conditions is equal to another value.
  func excludes(_ value: RulesValue) throws(EvaluationError) -> Bool {
    for condition in conditions where try condition.excludes(value) { return true }
    return false
  }

  /// Returns whether every value that meets the conditions is of a type: the operator `is`.
  ///
  /// - Throws: An error if values of the type may meet the conditions.
  func isOfType(_ name: String) throws(EvaluationError) -> Bool {
    if name == RulesType.constraint.rawValue || isOfKeys && name == RulesType.list.rawValue {
      return true
    }
    guard
      conditions.contains(where: { condition in
        condition.types.map { !$0.contains { $0.matches(name) } } ?? false
      })
    else { throw .unproven }
    return false
  }

  /// Returns whether one of the conditions alone implies a comparison with a value.
  private func implies(
    _ comparison: Comparator,
    _ value: RulesValue
  ) throws(EvaluationError) -> Bool {
    // No condition is met by null.
    if case .null = value, comparison == .notEqual { return !conditions.isEmpty }
    for condition in conditions where try condition.implies(comparison, value) { return true }
    return false
  }
}

extension Constraint.Condition {
  /// Returns whether every value that meets the condition also meets another one.
  fileprivate func implies(
    _ other: Constraint.Comparator,
    _ bound: RulesValue
  ) throws(EvaluationError) -> Bool {
    switch (comparator, other) {
    case (.equal, .equal): return try value.isSame(as: bound)
    case (.notEqual, .notEqual): return try value.isOnly(bound)
    case (.equal, .notEqual): return try value.differs(from: bound)
    case (.contains, _), (_, .contains), (.notEqual, _), (_, .equal): return false
    default:
      // Rules compare strings by UTF-16 and Firestore by code points. A bound whose characters are
      // below the surrogates has the same strings above it in both orders.
      if case .string(let text) = bound, text.utf16.contains(where: { $0 >= 0xD800 }) {
        return false
      }
      guard let order = value.order(to: bound) else { return false }
      return Self.implies(comparator, other, order: order)
    }
  }

  /// Returns whether a value doesn't meet the condition.
  fileprivate func excludes(_ candidate: RulesValue) throws(EvaluationError) -> Bool {
    switch candidate {
    case .null: return true
    case .constraint: return false
    default: break
    }
    if let types, !types.contains(candidate.type) { return true }
    switch comparator {
    case .equal: return try value.differs(from: candidate)
    case .notEqual: return try value.isOnly(candidate)
    case .contains: return false
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = value.order(to: candidate) else { return false }
      return switch comparator {
      case .less: order <= 0
      case .lessOrEqual: order < 0
      case .greater: order >= 0
      default: order > 0
      }
    }
  }

  /// The types of the values that meet the condition, or `nil` if they can be of any type.
  fileprivate var types: Set<RulesType>? {
    switch comparator {
    case .notEqual: nil
    case .contains: [.list]
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      value.type.isNumber ? [.int, .float] : [value.type]
    }
  }

  /// Returns whether `x comparator value` implies `x other bound`.
  ///
  /// - Parameter order: Negative if the value is less than the bound, 0 if they are equal, and
  ///   positive if it is greater.
  private static func implies(
    _ comparator: Constraint.Comparator,
    _ other: Constraint.Comparator,
    order: Int
  ) -> Bool {
    switch (comparator, other) {
    case (.less, .less), (.less, .lessOrEqual), (.less, .notEqual),
      (.lessOrEqual, .lessOrEqual), (.equal, .lessOrEqual):
      order <= 0
    case (.lessOrEqual, .less), (.lessOrEqual, .notEqual), (.equal, .less): order < 0
    case (.greater, .greater), (.greater, .greaterOrEqual), (.greater, .notEqual),
      (.greaterOrEqual, .greaterOrEqual), (.equal, .greaterOrEqual):
      order >= 0
    case (.greaterOrEqual, .greater), (.greaterOrEqual, .notEqual), (.equal, .greater): order > 0
    default: false
    }
  }
}

extension Constraint.Comparator {
  fileprivate init?(_ op: BinaryOperator) {
    switch op {
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .or, .and, .in, .plus, .minus, .times, .divide, .remainder: return nil
    }
  }

  /// The comparator after the operands are exchanged.
  fileprivate var mirrored: Constraint.Comparator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual, .contains: self
    }
  }
}

// MARK: Values of conditions

extension RulesValue {
  /// The pair of a condition's value and an operand as floats, or `nil` if the value isn't an int or
  /// the operand isn't a float.
  ///
  /// A float of a query says nothing about an int of the rules, as in Google's emulator. Beyond 2^53
  /// several ints become the same float, so that equal floats prove nothing.
  private func floats(with operand: RulesValue) -> (Double, Double)? {
    guard case .integer(let integer) = self, case .float(let float) = operand,
      integer.magnitude <= 1 << 53 || Double(integer) != float
    else { return nil }
    return (Double(integer), float)
  }

  /// A Boolean value that indicates whether all values that are equal to this one in rules are equal
  /// to it in Firestore, too.
  ///
  /// Rules compare an int with a float as floats, so that an int that no float has isn't unique. The
  /// numbers in a list or a map aren't looked at.
  private var isUnique: Bool {
    switch self {
    case .integer(let integer): Int64(exactly: Double(integer)) == integer
    case .list, .map: false
    default: true
    }
  }

  /// Returns whether a condition's value is equal to an operand, and to Firestore so is every value
  /// that is equal to the operand in rules.
  fileprivate func isOnly(_ operand: RulesValue) throws(EvaluationError) -> Bool {
    guard isUnique else { return false }
    return try isSame(as: operand)
  }

  /// Returns whether a condition's value is equal to an operand.
  fileprivate func isSame(as operand: RulesValue) throws(EvaluationError) -> Bool {
    if let (value, operand) = floats(with: operand) { return value == operand }
    guard type == operand.type else { return false }
    return try RulesValue.areEqual(self, operand)
  }

  /// Returns whether a condition's value and an operand differ also for Firestore, to which 1 and
  /// 1.0 are equal.
  fileprivate func differs(from operand: RulesValue) throws(EvaluationError) -> Bool {
    guard type == operand.type || type.isNumber && operand.type.isNumber else { return false }
    var equality = Equality(.byValue)
    return try !equality.areEqual(self, operand)
  }

  /// Returns the order of a condition's value and an operand, or `nil` if they can't be compared.
  fileprivate func order(to operand: RulesValue) -> Int? {
    if let (value, operand) = floats(with: operand) { return Self.totalOrder(value, operand) }
    return switch (self, operand) {
    case (.integer(let value), .integer(let operand)):
      // Rules compare a document's float with an int as floats.
      Double(value) != Double(operand) || value == operand && isUnique
        ? Self.totalOrder(value, operand) : nil
    case (.float(let value), .float(let operand)): Self.totalOrder(value, operand)
    case (.string(let value), .string(let operand)):
      Self.totalOrder(ByteKey(value), ByteKey(operand))
    case (.bytes(let value), .bytes(let operand)): orderBytes(value, operand)
    case (.timestamp(let value), .timestamp(let operand)): Self.totalOrder(value, operand)
    default: nil
    }
  }

  /// Returns the order of two values, or `nil` if there is none, as with NaN.
  private static func totalOrder<T: Comparable>(_ left: T, _ right: T) -> Int? {
    if left == right { return 0 }
    return left < right ? -1 : left > right ? 1 : nil
  }
}

extension RulesType {
  fileprivate var isNumber: Bool { self == .int || self == .float }

  /// Returns whether values of the type are of the type with a name in rules.
  fileprivate func matches(_ name: String) -> Bool {
    rawValue == name || isNumber && name == "number"
  }
}
