extension RulesetChecks {
  private static let mostParameters = 7
  private static let mostBindings = 11

  /// Adds the functions of a block to the innermost scope, and checks them.
  mutating func check(_ functions: [FunctionDeclaration]) {
    var numbers: [Int] = []
    for function in functions {
      let number = calls.add(Name(function.name, at: function.nameRange))
      numbers.append(number)
      if scopes[scopes.count - 1].functions[function.name] != nil {
        error("Function \(function.name) is already defined.", at: function.nameRange)
      } else {
        scopes[scopes.count - 1].functions[function.name] = Function(
          number: number,
          parameterCount: function.parameters.count
        )
      }
    }
    for (function, number) in zip(functions, numbers) {
      self.function = number
      checkBody(of: function)
    }
    function = nil
  }

  private mutating func checkBody(of function: FunctionDeclaration) {
    if function.parameters.count > Self.mostParameters {
      error(
        "Maximum allowed function arguments of \(Self.mostParameters) for function "
          + "\(function.name) is reached.",
        at: function.nameRange
      )
    }
    locals = []
    localIndices = [:]
    var names: Set<String> = []
    for (name, range) in zip(function.parameters, function.parameterRanges) {
      checkVariableName(name, at: range)
      if !names.insert(name).inserted { error("Variable \(name) is already defined.", at: range) }
      addLocal(Local(name: Name(name, at: range)))
    }
    if function.bindings.count > Self.mostBindings {
      error(
        "Maximum allowed variable count of 10 for a given function has been reached.",
        at: function.bindings.count > Self.mostBindings + 1
          ? function.bindings[Self.mostBindings + 1].keywordRange : function.result.token
      )
    }
    for binding in function.bindings {
      if version == .one {
        error("Let bindings are not allowed in rules_version=\"1\";", at: binding.nameRange)
      }
      let types = check(binding.value, expecting: nil)
      checkVariableName(binding.name, at: binding.nameRange)
      if !names.insert(binding.name).inserted {
        error(
          "The identifier [\(binding.name)] is already bound in the current scope.",
          at: binding.nameRange
        )
      }
      addLocal(Local(name: Name(binding.name, at: binding.nameRange), types: types))
    }
    _ = check(function.result, expecting: nil)
    for local in locals where !local.isUsed {
      warn("Unused variable: \(local.name.text).", at: local.name.range)
    }
    locals = []
    localIndices = [:]
  }

  private mutating func addLocal(_ local: Local) {
    localIndices[local.name.text] = locals.count
    locals.append(local)
  }

  /// Checks that a variable doesn't have the name of a namespace.
  mutating func checkVariableName(_ name: String, at range: SourceRange) {
    guard Signatures.namespaces.contains(name) else { return }
    error("\(name) is a package and cannot be used as variable name.", at: range)
  }
}

extension FunctionDeclaration.Binding {
  /// The place of the word `let`.
  fileprivate var keywordRange: SourceRange {
    var range = range
    range.end = range.start + "let".count - 1
    return range
  }
}
