// The errors of an evaluation, as Google's emulator words them.

extension EvaluationError {
  static var nullValue: EvaluationError { EvaluationError("Null value error.") }

  static func functionNotFound(_ name: String) -> EvaluationError {
    EvaluationError("Function not found error: Name: [\(name)].")
  }

  static func argumentCount(_ count: Int, expected signature: String) -> EvaluationError {
    EvaluationError("Incorrect number of arguments. Received: \(count). Expected: \(signature).")
  }

  static func unsupported(_ received: String, expected: String) -> EvaluationError {
    EvaluationError("Unsupported operation error. Received: \(received). Expected: \(expected).")
  }

  static func type(_ received: RulesValue, expected: RulesType...) -> EvaluationError {
    let names = expected.map(\.rawValue).joined(separator: ",")
    return EvaluationError(
      "Type error. Received: [\(received.type.rawValue)] Expected: [\(names)]."
    )
  }

  static func undefinedProperty(_ name: String) -> EvaluationError {
    EvaluationError("Property \(name) is undefined on object.")
  }

  static func index(_ index: Int64, size: Int) -> EvaluationError {
    EvaluationError("Index out of bound error. Index: [\(index)] , size: [\(size)].")
  }

  static func conversion(
    _ argument: String,
    from: RulesType,
    to: RulesType
  ) -> EvaluationError {
    EvaluationError(
      "Type conversion error. Argument: [\(argument)], From type: [\(from.rawValue)], "
        + "To type: [\(to.rawValue)]."
    )
  }

  static func pattern(_ pattern: String) -> EvaluationError {
    EvaluationError("Invalid regular expression pattern. Pattern: \(pattern).")
  }

  /// A value would need too much memory. Google's emulator has no such limit.
  static var tooLarge: EvaluationError { EvaluationError("The value is too large.") }
}
