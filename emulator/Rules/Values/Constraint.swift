/// What a query requires of a field's value.
package struct Constraint: Sendable {
  /// Returns the result of an operator with a constraint as one of its operands.
  static func apply(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> RulesValue {
    throw RulesValue.unsupported(op, left, right)
  }

  /// Returns the result of a method of a constraint, or `nil` if there is no such method.
  func call(_ method: String, _ arguments: [RulesValue]) throws(EvaluationError) -> RulesValue? {
    nil
  }
}
