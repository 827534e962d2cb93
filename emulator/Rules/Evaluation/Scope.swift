import Core

/// The variables and functions that an expression can use: those of its own block, function or
/// service, and those of the scopes around it.
///
/// A function sees the scope of its declaration, not that of its caller.
final class Scope {
  /// A variable's value. An argument that can't be evaluated is an error only where it is used.
  typealias Variable = Result<RulesValue, EvaluationError>

  private let parent: Scope?
  private var variables: [(name: String, value: Variable)] = []
  private let functions: [FunctionDeclaration]

  init(in parent: Scope?, functions: [FunctionDeclaration] = []) {
    self.parent = parent
    self.functions = functions
  }

  func define(_ name: String, _ value: Variable) { variables.append((name, value)) }

  /// Returns the value of a variable, or `nil` if there is none with the name.
  func variable(_ name: String) -> Variable? {
    var scope: Scope? = self
    while let current = scope {
      let variables = current.variables
      for index in variables.indices.reversed()
      where variables[index].name.hasSameBytes(as: name) { return variables[index].value }
      scope = current.parent
    }
    return nil
  }

  /// Returns a function and the scope of its declaration, or `nil` if there is none with the name.
  func function(_ name: String) -> (declaration: FunctionDeclaration, scope: Scope)? {
    var scope: Scope? = self
    while let current = scope {
      for function in current.functions where function.name.hasSameBytes(as: name) {
        return (function, current)
      }
      scope = current.parent
    }
    return nil
  }
}
