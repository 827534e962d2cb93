/// The rules of one service, such as `service cloud.firestore { … }`.
package struct ServiceDeclaration: Sendable {
  /// The service's full name, such as `cloud.firestore`.
  package var name: String
  package var functions: [FunctionDeclaration]
  package var matches: [MatchBlock]

  package init(name: String, functions: [FunctionDeclaration], matches: [MatchBlock]) {
    self.name = name
    self.functions = functions
    self.matches = matches
  }
}

/// A block `match /path { … }`.
package struct MatchBlock: Sendable {
  package enum Segment: Hashable, Sendable {
    case literal(String)
    /// `{name}`, which matches one segment.
    case wildcard(String)
    /// `{name=**}`, which matches several segments.
    case recursiveWildcard(String)
  }

  package var pattern: [Segment]
  package var functions: [FunctionDeclaration]
  package var allows: [AllowStatement]
  package var matches: [MatchBlock]
  package var range: SourceRange

  package init(
    pattern: [Segment],
    functions: [FunctionDeclaration],
    allows: [AllowStatement],
    matches: [MatchBlock],
    range: SourceRange
  ) {
    self.pattern = pattern
    self.functions = functions
    self.allows = allows
    self.matches = matches
    self.range = range
  }
}

/// A statement `allow methods: if condition;`.
package struct AllowStatement: Sendable {
  /// The methods that the statement allows. `read` and `write` are replaced by the methods that they
  /// stand for; unknown methods are left out.
  package var methods: Set<RulesMethod>
  /// The condition, or `nil` if the statement has none and always allows.
  package var condition: Expression?
  package var range: SourceRange

  package init(methods: Set<RulesMethod>, condition: Expression?, range: SourceRange) {
    self.methods = methods
    self.condition = condition
    self.range = range
  }
}

/// The methods of requests, which `allow` statements name.
package enum RulesMethod: String, Hashable, Sendable, CaseIterable {
  case get, list, create, update, delete
}

/// A function `function name(parameters) { let …; return …; }`.
package struct FunctionDeclaration: Sendable {
  package struct Binding: Sendable {
    package var name: String
    package var value: Expression

    package init(name: String, value: Expression) {
      self.name = name
      self.value = value
    }
  }

  package var name: String
  package var parameters: [String]
  package var bindings: [Binding]
  package var result: Expression
  package var range: SourceRange

  package init(
    name: String,
    parameters: [String],
    bindings: [Binding],
    result: Expression,
    range: SourceRange
  ) {
    self.name = name
    self.parameters = parameters
    self.bindings = bindings
    self.result = result
    self.range = range
  }
}
