import FirestoreModel

extension RulesValue {
  /// Returns the result of `+`, `-`, `*`, `/` or `%`.
  ///
  /// An int and a float give a float. Ints overflow with an error, except that the smallest int
  /// divided by -1 is itself, as in Java.
  static func calculate(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> RulesValue {
    switch (left, op, right) {
    case (.integer(let left), _, .integer(let right)):
      return .integer(try calculate(op, left, right))
    case (.integer(let left), _, .float(let right)):
      return .float(calculate(op, Double(left), right))
    case (.float(let left), _, .integer(let right)):
      return .float(calculate(op, left, Double(right)))
    case (.float(let left), _, .float(let right)):
      return .float(calculate(op, left, right))
    case (.string(let left), .plus, .string(let right)):
      guard left.utf8.count + right.utf8.count <= Limits.bytes else { throw .tooLarge }
      return .string(left + right)
    case (.duration(let left), .plus, .duration(let right)):
      return .duration(try left.adding(right))
    case (.duration(let left), .minus, .duration(let right)):
      return .duration(try left.adding(-right))
    case (.timestamp(let timestamp), .plus, .duration(let duration)),
      (.duration(let duration), .plus, .timestamp(let timestamp)):
      return .timestamp(try timestamp.adding(duration))
    case (.timestamp(let timestamp), .minus, .duration(let duration)):
      return .timestamp(try timestamp.adding(-duration))
    case (.timestamp(let left), .minus, .timestamp(let right)):
      return .duration(RulesDuration(from: right, to: left))
    default:
      throw unsupported(op, left, right)
    }
  }

  private static func calculate(
    _ op: BinaryOperator,
    _ left: Int64,
    _ right: Int64
  ) throws(EvaluationError) -> Int64 {
    let (result, overflow) =
      switch op {
      case .plus: left.addingReportingOverflow(right)
      case .minus: left.subtractingReportingOverflow(right)
      case .times: left.multipliedReportingOverflow(by: right)
      case .divide, .remainder:
        if right == 0 {
          throw EvaluationError("Divide by zero error.")
        } else if right == -1 {
          (op == .divide ? 0 &- left : 0, false)
        } else {
          (op == .divide ? left / right : left % right, false)
        }
      default: throw EvaluationError("\(op.rawValue) isn't an arithmetic operator.")
      }
    guard !overflow else { throw .integerRange }
    return result
  }

  private static func calculate(_ op: BinaryOperator, _ left: Double, _ right: Double) -> Double {
    switch op {
    case .plus: left + right
    case .minus: left - right
    case .times: left * right
    case .divide: left / right
    case .remainder: left.truncatingRemainder(dividingBy: right)
    default: .nan
    }
  }
}

extension EvaluationError {
  static var integerRange: EvaluationError {
    EvaluationError("Integer value is out of the [\(Int64.min), \(Int64.max)] range.")
  }
}
