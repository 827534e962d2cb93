extension RulesetChecks {
  typealias Types = CallTypes.Types

  /// Checks an expression.
  ///
  /// - Parameters:
  ///   - expected: The types that the place accepts, or `nil` for all.
  ///   - isPermission: A Boolean value that indicates whether the expression is the condition of an
  ///     `allow` statement.
  /// - Returns: The types that the value can have, or `nil` if they are unknown.
  mutating func check(
    _ expression: Expression,
    expecting expected: Types?,
    isPermission: Bool = false
  ) -> Types? {
    if case .conditional(let condition, let first, let second) = expression.kind {
      return check(
        condition,
        first,
        second,
        expecting: isPermission ? [.bool] : expected,
        token: expression.token
      )
    }
    let types = types(of: expression)
    if let types, let expected, !types.overlaps(expected) {
      warn(
        "Invalid type. Received one of [\(types.list)]. Expected one of [\(expected.list)].",
        at: expression.place
      )
      warnOfVariable(expression)
    }
    return types
  }

  /// Warns of a wildcard whose place accepts neither text nor paths, as Google's compiler does.
  mutating func warnOfVariable(_ expression: Expression) {
    guard case .variable(let name) = expression.kind, localIndices[name] == nil else { return }
    warn(
      "Invalid type. There is no type for variable '\(name)' that satisfies all clauses.",
      at: expression.place
    )
  }

  private mutating func check(
    _ condition: Expression,
    _ first: Expression,
    _ second: Expression,
    expecting expected: Types?,
    token: SourceRange
  ) -> Types? {
    _ = check(condition, expecting: [.bool])
    let first = check(first, expecting: expected)
    let second = check(second, expecting: expected)
    guard expected == nil else { return nil }
    guard let first, let second else { return nil }
    if !first.overlaps(second) {
      warn(
        "Ternary operator result if condition is true has a different type than if condition is "
          + "false.",
        at: token
      )
    }
    return nil
  }

  private mutating func types(of expression: Expression) -> Types? {
    switch expression.kind {
    case .literal(let value):
      return [value.type]
    case .list(let elements):
      for element in elements { _ = check(element, expecting: nil) }
      return [.list]
    case .map(let entries):
      for (key, value) in entries {
        _ = check(key, expecting: [.string])
        _ = check(value, expecting: nil)
      }
      return [.map]
    case .path(let parts):
      for case .computed(let part) in parts {
        _ = check(part, expecting: [.path, .null, .int, .float, .string, .bool])
      }
      return [.path]
    case .variable(let name):
      return types(ofVariable: name, at: expression.token)
    case .member(let base, _):
      _ = check(base, expecting: [.map])
      return nil
    case .element(let base, let index):
      _ = check(base, expecting: [.string, .list, .map, .path])
      _ = check(index, expecting: [.int, .string])
      return nil
    case .slice(let base, let from, let to):
      _ = check(base, expecting: [.string, .list, .path])
      for bound in [from, to] {
        if let bound { _ = check(bound, expecting: [.null, .int]) }
      }
      return [.string, .list, .path]
    case .call(let name, let arguments):
      return check(callOf: Name(name, at: expression.token), arguments)
    case .methodCall(let base, let name, let arguments):
      return check(Name(name, at: expression.token), of: base, arguments, in: expression)
    case .unary(.not, let operand):
      _ = check(operand, expecting: [.bool])
      return [.bool]
    case .unary(.minus, let operand):
      _ = check(operand, expecting: [.int, .float, .duration])
      return [.int, .float, .duration]
    case .binary(let op, let left, let right):
      return check(op, left, right, token: expression.token)
    case .typeCheck(let operand, _):
      _ = check(operand, expecting: nil)
      return [.bool]
    case .conditional:
      return nil
    }
  }

  // MARK: Operators

  private mutating func check(
    _ op: BinaryOperator,
    _ left: Expression,
    _ right: Expression,
    token: SourceRange
  ) -> Types? {
    switch op {
    case .equal, .notEqual:
      let left = check(left, expecting: nil)
      let right = check(right, expecting: nil)
      if let left, let right, !left.isComparable(with: right) {
        warn(
          "The sub-expressions are not comparable, so this comparison will always return "
            + "\(op == .notEqual).",
          at: token
        )
      }
    case .in:
      _ = check(left, expecting: nil)
      _ = check(right, expecting: [.list, .set, .map, .constraint])
    case .and, .or, .less, .lessOrEqual, .greater, .greaterOrEqual:
      let expected: Types? = op == .and || op == .or ? [.bool] : nil
      _ = check(left, expecting: expected)
      _ = check(right, expecting: expected)
    case .plus, .minus, .times, .divide, .remainder:
      let types: Types =
        switch op {
        case .plus: [.int, .float, .string, .duration, .timestamp]
        case .minus: [.int, .float, .duration, .timestamp]
        default: [.int, .float]
        }
      _ = check(left, expecting: types)
      _ = check(right, expecting: types)
      return types
    }
    return [.bool]
  }

  // MARK: Variables

  /// A Boolean value that indicates whether there are `request` and `resource`.
  private var hasRequest: Bool { service == nil || service.flatMap(RulesService.init) != nil }

  private mutating func types(ofVariable name: String, at range: SourceRange) -> Types? {
    if let index = localIndices[name] {
      locals[index].isUsed = true
      checkVariableName(name, at: range)
      return locals[index].types
    }
    if Signatures.namespaces.contains(name) {
      checkVariableName(name, at: range)
      return nil
    }
    for scope in scopes.reversed() {
      if let types = scope.variables[name] { return types }
    }
    if !hasRequest || name != "request" && name != "resource" {
      warn("Invalid variable name: \(name).", at: range)
    }
    return nil
  }

  /// Returns whether there is a parameter, a `let` or a wildcard with the name.
  private func isVariable(_ name: String) -> Bool {
    localIndices[name] != nil || scopes.contains { $0.variables[name] != nil }
  }

  // MARK: Calls

  /// Returns whether the place belongs to a service, or to a function outside of services that the
  /// service's rules can call.
  private func isIn(_ service: RulesService) -> Bool {
    self.service.map { $0 == service.rawValue } ?? services.contains(service.rawValue)
  }

  private mutating func check(callOf name: Name, _ arguments: [Expression]) -> Types? {
    for scope in scopes.reversed() {
      guard let function = scope.functions[name.text] else { continue }
      calls.addCall(from: self.function, to: function.number)
      for argument in arguments { _ = check(argument, expecting: nil) }
      if arguments.count != function.parameterCount { warnOfArgumentCount(name) }
      return nil
    }
    var types = CallTypes.functions[name.text]
    if types == nil, isIn(.firestore) { types = CallTypes.documentFunctions[name.text] }
    return check(name, types, arguments)
  }

  private mutating func check(
    _ name: Name,
    of base: Expression,
    _ arguments: [Expression],
    in call: Expression
  ) -> Types? {
    // A name in parentheses isn't a namespace.
    if case .variable(let namespace) = base.kind, base.range.start == base.token.start {
      let fullName = Name("\(namespace).\(name.text)", at: name.range)
      if Signatures.namespaces.contains(namespace) {
        return check(fullName, CallTypes.functions[fullName.text], arguments)
      }
      if namespace == Signatures.documentNamespace, isIn(.storage), !isVariable(namespace) {
        return check(fullName, CallTypes.storageFunctions[fullName.text], arguments)
      }
    }
    let types = CallTypes.methods[name.text]
    let isComplete = types?.parameters.count == arguments.count
    _ = check(base, expecting: isComplete ? types?.base : nil)
    checkPattern(name.text, arguments)
    return check(name, types, arguments)
  }

  private mutating func check(
    _ name: Name,
    _ types: CallTypes?,
    _ arguments: [Expression]
  ) -> Types? {
    let isComplete = types?.parameters.count == arguments.count
    for (index, argument) in arguments.enumerated() {
      _ = check(argument, expecting: isComplete ? types?.parameters[index] : nil)
    }
    if types == nil {
      warn("Invalid function name: \(name.text).", at: name.range)
    } else if !isComplete {
      warnOfArgumentCount(name)
    }
    return isComplete ? types?.result : nil
  }

  private mutating func warnOfArgumentCount(_ name: Name) {
    warn("Incorrect number of arguments supplied to function: \(name.text).", at: name.range)
  }

  /// Checks a regular expression that is written as a string.
  private mutating func checkPattern(_ method: String, _ arguments: [Expression]) {
    guard method == "matches" || method == "split", arguments.count == 1,
      case .literal(.string(let pattern)) = arguments[0].kind
    else { return }
    do throws(EvaluationError) {
      _ = try Pattern(pattern)
    } catch {
      self.error(error.message, at: arguments[0].range)
    }
  }
}

extension Expression {
  /// The place that Google's compiler names: for a value in parentheses, the opening one.
  var place: SourceRange {
    switch kind {
    case .literal, .variable, .list, .map, .path:
      guard range.start < token.start else { return token }
      var parenthesis = range
      parenthesis.end = range.start
      return parenthesis
    default: return token
    }
  }
}

extension [RulesType] {
  /// The names as Google's compiler lists them.
  var list: String { map(\.rawValue).joined(separator: ", ") }

  fileprivate func overlaps(_ other: [RulesType]) -> Bool { contains(where: other.contains) }

  /// Returns whether values of these and other types can be equal.
  fileprivate func isComparable(with other: [RulesType]) -> Bool {
    overlaps(other) || hasNumber && other.hasNumber
  }

  private var hasNumber: Bool { contains(.int) || contains(.float) }
}
