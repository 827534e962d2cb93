import Rules

/// A ruleset in which one condition, or one operand of `&&` or `||`, is a constant.
struct ConditionMutant {
  let description: String
  let ruleset: Ruleset

  /// Returns the mutants of all conditions and results of functions.
  static func all(of ruleset: Ruleset) -> [ConditionMutant] {
    [true, false].flatMap { value in
      var mutants: [ConditionMutant] = []
      while true {
        var mutation = Mutation(index: mutants.count, value: value)
        let services = ruleset.services.map { mutation.service($0) }
        guard let place = mutation.place else { return mutants }
        let mutant = Ruleset(
          version: ruleset.version,
          functions: ruleset.functions,
          services: services,
          source: ruleset.source,
          warnings: []
        )
        mutants.append(
          ConditionMutant(
            description: "\(value) at \(place.line):\(place.column)",
            ruleset: mutant
          )
        )
      }
    }
  }
}

/// A copy of declarations with a constant as the expression at an index.
private struct Mutation {
  let value: Bool
  /// The place of the expression that was replaced.
  private(set) var place: SourceRange?
  private var left: Int

  init(index: Int, value: Bool) {
    left = index
    self.value = value
  }

  mutating func service(_ service: ServiceDeclaration) -> ServiceDeclaration {
    ServiceDeclaration(
      name: service.name,
      functions: service.functions.map { function($0) },
      matches: service.matches.map { match($0) },
      nameRange: service.nameRange
    )
  }

  private mutating func match(_ match: MatchBlock) -> MatchBlock {
    MatchBlock(
      pattern: match.pattern,
      functions: match.functions.map { function($0) },
      allows: match.allows.map { allow in
        AllowStatement(
          methodNames: allow.methodNames,
          condition: allow.condition.map { condition($0) },
          range: allow.range
        )
      },
      matches: match.matches.map { self.match($0) },
      range: match.range,
      segmentRanges: match.segmentRanges
    )
  }

  /// Copies a function, whose result is a condition.
  private mutating func function(_ function: FunctionDeclaration) -> FunctionDeclaration {
    FunctionDeclaration(
      name: function.name,
      parameters: function.parameters,
      bindings: function.bindings,
      result: condition(function.result),
      range: function.range,
      nameRange: function.nameRange,
      parameterRanges: function.parameterRanges
    )
  }

  private mutating func condition(_ expression: Expression) -> Expression {
    left -= 1
    guard left >= 0 || place != nil else {
      place = expression.range
      return Expression(.literal(.boolean(value)), at: expression.range)
    }
    guard case .binary(let op, let first, let second) = expression.kind, op == .and || op == .or
    else { return expression }
    let copy = condition(first)
    return Expression(
      .binary(op, copy, condition(second)),
      at: expression.range,
      token: expression.token
    )
  }
}
