/// The rules of one service, such as `service cloud.firestore { … }`.
package final class ServiceDeclaration: Sendable {
  /// The service's full name, such as `cloud.firestore`.
  package let name: String
  package let functions: [FunctionDeclaration]
  package let matches: [MatchBlock]
  package let nameRange: SourceRange

  package init(
    name: String,
    functions: [FunctionDeclaration],
    matches: [MatchBlock],
    nameRange: SourceRange
  ) {
    self.name = name
    self.functions = functions
    self.matches = matches
    self.nameRange = nameRange
  }
}

/// A block `match /path { … }`.
package final class MatchBlock: Sendable {
  package enum Segment: Hashable, Sendable {
    case literal(String)
    /// `{name}`, which matches one segment.
    case wildcard(String)
    /// `{name=**}`, which matches several segments.
    case recursiveWildcard(String)
  }

  package let pattern: [Segment]
  package let functions: [FunctionDeclaration]
  package let allows: [AllowStatement]
  package let matches: [MatchBlock]
  package let range: SourceRange
  /// The places of the pattern's segments: of the slash and text, or of the wildcard's name.
  package let segmentRanges: [SourceRange]

  package init(
    pattern: [Segment],
    functions: [FunctionDeclaration],
    allows: [AllowStatement],
    matches: [MatchBlock],
    range: SourceRange,
    segmentRanges: [SourceRange]
  ) {
    self.segmentRanges = segmentRanges
    self.pattern = pattern
    self.functions = functions
    self.allows = allows
    self.matches = matches
    self.range = range
  }
}

/// A statement `allow methods: if condition;`.
package final class AllowStatement: Sendable {
  /// The methods that the statement allows. `read` and `write` are replaced by the methods that they
  /// stand for; unknown methods are left out.
  package let methods: Set<RulesMethod>
  /// The methods as they are written.
  package let methodNames: [Name]
  /// The condition, or `nil` if the statement has none and always allows.
  package let condition: Expression?
  package let range: SourceRange

  package init(methodNames: [Name], condition: Expression?, range: SourceRange) {
    methods = methodNames.reduce(into: []) { $0.formUnion(RulesMethod.named($1.text)) }
    self.methodNames = methodNames
    self.condition = condition
    self.range = range
  }
}

/// The methods of requests, which `allow` statements name.
package enum RulesMethod: String, Hashable, Sendable, CaseIterable {
  case get, list, create, update, delete

  /// Returns the methods that a name in an `allow` statement stands for.
  package static func named(_ name: String) -> Set<RulesMethod> {
    switch name {
    case "read": [.get, .list]
    case "write": [.create, .update, .delete]
    default: RulesMethod(rawValue: name).map { [$0] } ?? []
    }
  }
}

/// A function `function name(parameters) { let …; return …; }`.
package final class FunctionDeclaration: Sendable {
  package struct Binding: Sendable {
    package var name: String
    package var value: Expression
    /// The place from `let` to the value's end.
    package var range: SourceRange
    package var nameRange: SourceRange

    package init(name: String, value: Expression, range: SourceRange, nameRange: SourceRange) {
      self.name = name
      self.value = value
      self.range = range
      self.nameRange = nameRange
    }
  }

  package let name: String
  package let parameters: [String]
  package let bindings: [Binding]
  package let result: Expression
  package let range: SourceRange
  package let nameRange: SourceRange
  package let parameterRanges: [SourceRange]

  package init(
    name: String,
    parameters: [String],
    bindings: [Binding],
    result: Expression,
    range: SourceRange,
    nameRange: SourceRange,
    parameterRanges: [SourceRange]
  ) {
    self.nameRange = nameRange
    self.parameterRanges = parameterRanges
    self.name = name
    self.parameters = parameters
    self.bindings = bindings
    self.result = result
    self.range = range
  }
}
