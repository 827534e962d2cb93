import Core

/// The variables and functions that an expression can use: those of its own block, function or
/// service, and those of the scopes around it.
///
/// A function sees the scope of its declaration, not that of its caller.
final class Scope {
  /// A variable's value. An argument that can't be evaluated is an error only where it is used.
  typealias Variable = Result<RulesValue, EvaluationError>

  private struct Binding {
    let name: String
    let value: Variable
  }

  private let parent: Scope?
  private var bindings: [Binding] = []
  private let functions: [FunctionDeclaration]

  init(in parent: Scope?, functions: [FunctionDeclaration] = []) {
    self.parent = parent
    self.functions = functions
  }

  func define(_ name: String, _ value: Variable) {
    bindings.append(Binding(name: name, value: value))
  }

  /// Returns the value of a variable, or `nil` if there is none with the name.
  func variable(_ name: String) -> Variable? {
    var scope: Scope? = self
    while let current = scope {
      for binding in current.bindings.reversed() where binding.name.hasSameBytes(as: name) {
        return binding.value
      }
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
