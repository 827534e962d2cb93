extension RulesValue {
  /// Returns the result of an operator other than `&&` and `||`, which the evaluator handles itself.
  package static func apply(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> RulesValue {
    if left.isConstraint || right.isConstraint {
      return try Constraint.apply(op, left, right)
    }
    return switch op {
    case .equal: .boolean(try areEqual(left, right))
    case .notEqual: .boolean(try !areEqual(left, right))
    case .in: .boolean(try left.isContained(in: right))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      .boolean(try isInOrder(op, left, right))
    case .plus, .minus, .times, .divide, .remainder: try calculate(op, left, right)
    case .and, .or: throw unsupported(op, left, right)
    }
  }

  package static func apply(
    _ op: UnaryOperator,
    _ value: RulesValue
  ) throws(EvaluationError) -> RulesValue {
    switch (op, value) {
    case (.not, .boolean(let boolean)): return .boolean(!boolean)
    case (.minus, .integer): return try calculate(.minus, .integer(0), value)
    case (.minus, .float(let float)): return .float(-float)
    case (.minus, .duration(let duration)): return .duration(-duration)
    default:
      let expected =
        switch op {
        case .not: "!bool"
        case .minus: "-int, -float, -duration"
        }
      throw .unsupported("\(op.rawValue)\(value.typeName)", expected: expected)
    }
  }

  /// The error of an operator that isn't defined for the operands' types.
  static func unsupported(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) -> EvaluationError {
    let pairs =
      switch op {
      case .plus:
        [
          "int int", "float float", "string string", "duration duration", "duration timestamp",
          "timestamp duration",
        ]
      case .minus:
        [
          "int int", "float float", "duration duration", "timestamp duration",
          "timestamp timestamp",
        ]
      case .times, .divide, .remainder: ["int int", "float float"]
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        [
          "string string", "bytes bytes", "int int", "float float", "duration duration",
          "timestamp timestamp", "constraint any", "any constraint",
        ]
      case .equal, .notEqual, .in: ["any any"]
      case .and, .or: ["bool bool"]
      }
    let expected = pairs.map { $0.replacing(" ", with: " \(op.rawValue) ") }
    return .unsupported(
      "\(left.typeName) \(op.rawValue) \(right.typeName)",
      expected: expected.joined(separator: ", ")
    )
  }

  private var isConstraint: Bool { if case .constraint = self { true } else { false } }
}
