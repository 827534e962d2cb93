package import Core

extension RulesValue {
  /// Returns the result of an operator other than `&&` and `||`, which the evaluator handles itself.
  package static func apply(
    _ op: BinaryOperator,
    _ left: RulesValue,
    _ right: RulesValue
  ) throws(EvaluationError) -> RulesValue { fatalError() }

  package static func apply(
    _ op: UnaryOperator,
    _ value: RulesValue
  ) throws(EvaluationError) -> RulesValue { fatalError() }

  /// Returns whether the value is of a type, such as `string`: the operator `is`.
  package func isOfType(_ name: String) throws(EvaluationError) -> Bool { fatalError() }

  /// Returns the result of `self.name`.
  package func member(_ name: ByteKey) throws(EvaluationError) -> RulesValue { fatalError() }

  /// Returns the result of `self[index]`.
  package func element(at index: RulesValue) throws(EvaluationError) -> RulesValue { fatalError() }

  /// Returns the result of `self[from:to]`.
  package func slice(
    from: RulesValue?,
    to: RulesValue?
  ) throws(EvaluationError) -> RulesValue { fatalError() }

  /// Returns the result of a method of the value, such as `size()`.
  package func call(
    _ method: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue { fatalError() }

  /// Returns the result of a built-in function, such as `int(x)`, or `nil` if there is no such
  /// function. `get()`, `exists()` and the like are the evaluator's.
  package static func call(
    function name: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue? { fatalError() }

  /// The names of the namespaces, such as `math`.
  package static let namespaces: Set<String> = []

  /// Returns the result of a function of a namespace, such as `math.abs(x)`.
  package static func call(
    namespace: String,
    _ name: String,
    _ arguments: [RulesValue]
  ) throws(EvaluationError) -> RulesValue { fatalError() }

  /// The name of the value's type in error texts, such as `string`.
  package var typeName: String { fatalError() }

  /// Returns the segments that the value adds to a path in which it is `$(value)`.
  package func pathSegments() throws(EvaluationError) -> [String] { fatalError() }
}
