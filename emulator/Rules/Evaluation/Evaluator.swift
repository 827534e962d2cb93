import Core

/// The evaluation of expressions for one request.
///
/// The number of evaluated expressions is limited, which also limits the depth of the recursion.
/// Deep expressions are evaluated on a large stack.
struct Evaluator: ~Copyable {
  /// The most expressions that are evaluated for a request. Production has the same limit.
  private static let maximumExpressions = 1_000
  /// The most levels of expressions that are evaluated on the caller's stack.
  private static let levelsOnSmallStack = 24
  /// The most bytes of the values that the operations of a request make. Production's limit is not
  /// known; Google's emulator has none.
  private static let maximumBytes = 64 << 20
  /// The number of expressions between two looks at the clock, which takes longer than most of them.
  private static let expressionsPerTimeCheck = 8

  let request: RulesRequest
  let documents: any DocumentReader
  var budget: RequestBudget
  let trace: EvaluationTrace?
  /// A Boolean value that indicates whether rules of Storage decide.
  let isStorage: Bool
  private var evaluated = 0
  /// The bytes of the values that operations have made.
  private var madeBytes = 0
  /// The number of evaluated expressions at which the evaluator looks at the clock again.
  private var nextTimeCheck = 0
  /// A Boolean value that indicates whether there was no time left at the last look at the clock.
  private var isLate = false
  /// The number of expressions around the current one.
  private var depth = 0

  init(
    _ request: RulesRequest,
    documents: any DocumentReader,
    budget: RequestBudget,
    trace: EvaluationTrace?
  ) {
    self.request = request
    self.documents = documents
    self.budget = budget
    self.trace = trace
    isStorage = request.isOfStorage
  }

  /// Returns the value of an expression.
  mutating func evaluate(
    _ expression: Expression,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    depth += 1
    defer { depth -= 1 }
    do throws(EvaluationError) {
      try count()
      let value =
        if depth == Self.levelsOnSmallStack {
          try valueOnLargeStack(of: expression, in: scope)
        } else {
          try value(of: expression, in: scope)
        }
      trace?.report(.success(value), at: expression.range)
      return value
    } catch {
      var error = error
      if error.range == nil { error.range = expression.range }
      trace?.report(.failure(error), at: expression.range)
      throw error
    }
  }

  /// Counts expressions. Once the limit or the time is exceeded, nothing can be evaluated anymore.
  ///
  /// Google's engine counts a node of the tree once, each segment of a path, a type's name, a
  /// bound that a slice leaves out, and a second operand, a branch or a `let` once more; the branch
  /// of a condition that is false three times more.
  mutating func count(_ expressions: Int = 1) throws(EvaluationError) {
    evaluated += expressions
    guard evaluated <= Self.maximumExpressions else {
      throw EvaluationError(
        "Unable to evaluate the expression as the maximum of \(Self.maximumExpressions) "
          + "expressions to evaluate has been reached."
      )
    }
    if evaluated >= nextTimeCheck {
      nextTimeCheck = evaluated + Self.expressionsPerTimeCheck
      isLate = budget.isExpired
    }
    guard !isLate else { throw EvaluationError("The rules take too long.") }
  }

  /// Counts the bytes of a value that an operation has made, and returns the value.
  ///
  /// Each value has its own limit, but variables can keep many of them.
  mutating func made(_ value: RulesValue) throws(EvaluationError) -> RulesValue {
    madeBytes += value.ownBytes
    guard madeBytes <= Self.maximumBytes else { throw .tooLarge }
    return value
  }

  private mutating func valueOnLargeStack(
    of expression: Expression,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    let result: Scope.Variable? = withUnsafeMutablePointer(to: &self) { evaluator in
      LargeStack.run {
        do throws(EvaluationError) {
          return .success(try evaluator.pointee.value(of: expression, in: scope))
        } catch {
          return .failure(error)
        }
      }
    }
    guard let result else { throw EvaluationError("The system can't create a thread.") }
    return try result.get()
  }

  private mutating func value(
    of expression: Expression,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    switch expression.kind {
    case .literal(let value): return value
    case .variable(let name):
      guard let value = scope.variable(name) else { throw .nullValue }
      return try value.get()
    case .member(let base, let name):
      return try evaluate(base, in: scope).member(ByteKey(name))
    case .element(let base, let index):
      return try element(of: base, at: index, in: scope)
    case .slice(let base, let from, let to):
      return try slice(of: base, from: from, to: to, in: scope)
    case .list(let elements): return .list(try values(of: elements, in: scope))
    case .map(let members): return try map(of: members, in: scope)
    case .path(let parts): return try path(of: parts, in: scope)
    case .call(let name, let arguments): return try call(name, arguments, in: scope)
    case .methodCall(let base, let name, let arguments):
      return try callMethod(name, of: base, arguments, in: scope)
    case .unary(let op, let operand):
      return try RulesValue.apply(op, try evaluate(operand, in: scope))
    case .binary(.and, let left, let right):
      return try connect(left, right, decidedBy: false, in: scope)
    case .binary(.or, let left, let right):
      return try connect(left, right, decidedBy: true, in: scope)
    case .binary(let op, let left, let right): return try apply(op, left, right, in: scope)
    case .typeCheck(let operand, let type):
      try count()
      return .boolean(try evaluate(operand, in: scope).isOfType(type))
    case .conditional(let condition, let first, let second):
      let isFirst = try evaluate(condition, in: scope).condition()
      try count(isFirst ? 1 : 3)
      return try evaluate(isFirst ? first : second, in: scope)
    }
  }

  /// Returns the outcome of an expression whose error doesn't end the evaluation.
  mutating func outcome(of expression: Expression, in scope: Scope) -> Scope.Variable {
    do throws(EvaluationError) {
      return .success(try evaluate(expression, in: scope))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Operators

  /// Returns the value of `&&` or `||`.
  ///
  /// An operand that decides alone does so even if the other one can't be evaluated.
  private mutating func connect(
    _ left: Expression,
    _ right: Expression,
    decidedBy decisive: Bool,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    let first = outcome(of: left, in: scope).condition
    if case .success(decisive) = first { return .boolean(decisive) }
    try count()
    let second = outcome(of: right, in: scope).condition
    if case .success(decisive) = second { return .boolean(decisive) }
    _ = try first.get()
    return .boolean(try second.get())
  }

  private mutating func apply(
    _ op: BinaryOperator,
    _ left: Expression,
    _ right: Expression,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    if op == .in {
      let container = try evaluate(right, in: scope)
      let elements = try operands(of: container, method: "in", [left], in: scope)
      return try RulesValue.apply(op, elements[0], container)
    }
    let first = try evaluate(left, in: scope)
    let second = try evaluate(right, in: scope)
    return try made(RulesValue.apply(op, first, second))
  }

  // MARK: Parts of values

  private mutating func element(
    of base: Expression,
    at index: Expression,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    let value = try evaluate(base, in: scope)
    let indexes = try operands(of: value, method: "[]", [index], in: scope)
    return try value.element(at: indexes[0])
  }

  private mutating func slice(
    of base: Expression,
    from: Expression?,
    to: Expression?,
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    let value = try evaluate(base, in: scope)
    var bounds: [RulesValue?] = []
    for bound in [from, to] {
      if let bound {
        bounds.append(try evaluate(bound, in: scope))
      } else {
        try count()
        bounds.append(nil)
      }
    }
    return try made(value.slice(from: bounds[0], to: bounds[1]))
  }

  mutating func values(
    of expressions: [Expression],
    in scope: Scope
  ) throws(EvaluationError) -> [RulesValue] {
    var values: [RulesValue] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try evaluate(expression, in: scope)) }
    return values
  }

  private mutating func map(
    of members: [(key: Expression, value: Expression)],
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    var values: [ByteKey: RulesValue] = [:]
    for member in members {
      let key = try evaluate(member.key, in: scope)
      guard case .string(let name) = key else { throw .type(key, expected: .string) }
      values[ByteKey(name)] = try evaluate(member.value, in: scope)
    }
    return .map(.values(values))
  }

  private mutating func path(
    of parts: [Expression.PathPart],
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    var segments: [String] = []
    segments.reserveCapacity(parts.count)
    for part in parts {
      switch part {
      case .literal(let segment):
        try count()
        segments.append(segment)
      case .computed(let expression):
        segments += try evaluate(expression, in: scope).pathSegments()
      }
    }
    return .path(RulesPath(segments))
  }
}

extension Scope.Variable {
  /// The outcome as an operand of `&&` or `||`.
  fileprivate var condition: Result<Bool, EvaluationError> {
    switch self {
    case .success(.boolean(let isTrue)): .success(isTrue)
    case .success(let value): .failure(.type(value, expected: .bool))
    case .failure(let error): .failure(error)
    }
  }
}

extension RulesValue {
  /// Returns the value as a condition.
  func condition() throws(EvaluationError) -> Bool {
    guard case .boolean(let isTrue) = self else { throw .type(self, expected: .bool) }
    return isTrue
  }
}
