extension Evaluator {
  /// Returns the result of `name(arguments)`.
  mutating func call(
    _ name: String,
    _ arguments: [Expression],
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    if let function = scope.function(name) {
      return try call(function.declaration, declaredIn: function.scope, arguments, in: scope)
    }
    let values = try values(of: arguments, in: scope)
    if !isStorage, let access = DocumentFunction(rawValue: name) { return try read(access, values) }
    if name == "debug", values.count == 1 { trace?.debug(values[0]) }
    if let value = try RulesValue.call(function: name, values) { return try made(value) }
    throw .functionNotFound(name)
  }

  private mutating func call(
    _ function: FunctionDeclaration,
    declaredIn declarationScope: Scope,
    _ arguments: [Expression],
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    guard arguments.count == function.parameters.count else {
      let signature = "\(function.name)(\(function.parameters.joined(separator: ", ")))"
      throw .argumentCount(arguments.count, expected: signature)
    }
    let body = Scope(in: declarationScope)
    for (name, argument) in zip(function.parameters, arguments) {
      body.define(name, outcome(of: argument, in: scope))
    }
    for binding in function.bindings {
      try count()
      body.define(binding.name, outcome(of: binding.value, in: body))
    }
    return try evaluate(function.result, in: body)
  }

  /// Returns the result of `base.name(arguments)`.
  mutating func callMethod(
    _ name: String,
    of base: Expression,
    _ arguments: [Expression],
    in scope: Scope
  ) throws(EvaluationError) -> RulesValue {
    // The compiler doesn't let a variable have the name of a namespace.
    if case .variable(let namespace) = base.kind, Signatures.namespaces.contains(namespace) {
      let values = try values(of: arguments, in: scope)
      return try RulesValue.call(namespace: namespace, name, values)
    }
    if isStorage, base.isDocumentNamespace(in: scope) {
      let values = try values(of: arguments, in: scope)
      guard let access = DocumentFunction(inStorage: name) else {
        throw .functionNotFound("\(Signatures.documentNamespace).\(name)")
      }
      return try read(access, values)
    }
    let value = try evaluate(base, in: scope)
    let values = try operands(of: value, method: name, arguments, in: scope)
    let result = try value.call(name, values)
    // get() returns a part of the map, which isn't new.
    return name == "get" ? result : try made(result)
  }

  /// Returns the values of a method's arguments. An unknown method is reported before their errors,
  /// as in Google's emulator.
  mutating func operands(
    of value: RulesValue,
    method: String,
    _ expressions: [Expression],
    in scope: Scope
  ) throws(EvaluationError) -> [RulesValue] {
    do throws(EvaluationError) {
      return try values(of: expressions, in: scope)
    } catch {
      try value.requireMethod(method)
      throw error
    }
  }
}

extension Expression {
  /// Returns whether the expression is the namespace of the functions that read documents in rules
  /// of Storage. A variable can hide it.
  fileprivate func isDocumentNamespace(in scope: Scope) -> Bool {
    guard case .variable(Signatures.documentNamespace) = kind else { return false }
    return scope.variable(Signatures.documentNamespace) == nil
  }
}
