import Core

extension Ruleset {
  /// Decides on a request.
  ///
  /// - Parameters:
  ///   - documents: The documents that the rules may read.
  ///   - budget: What the rules may use. It loses what they use.
  ///   - trace: Gets the evaluated expressions, if it isn't `nil`.
  package func decide(
    _ request: RulesRequest,
    documents: any DocumentReader,
    budget: inout RequestBudget,
    trace: EvaluationTrace? = nil
  ) -> Decision {
    guard version == .two || request.method != .list || !request.isOfStorage else {
      return .denied(["Lists of objects need rules_version = '2'"])
    }
    budget.beginDocument()
    var evaluator = Evaluator(request, documents: documents, budget: budget, trace: trace)
    defer { budget = evaluator.budget }
    var reasons: [String] = []
    for service in services where service.name.hasSameBytes(as: request.service) {
      for match in PathMatcher(request, in: service, of: self).matches {
        let statement = match.statement
        let outcome: String
        do throws(EvaluationError) {
          let isAllowed =
            try statement.condition.map { condition throws(EvaluationError) in
              try evaluator.evaluate(condition, in: match.scope).condition()
            } ?? true
          if isAllowed {
            trace?.allow(by: statement)
            return .allowed
          }
          outcome = "false"
        } catch {
          outcome = error.message
        }
        reasons.append("\(outcome) for '\(request.method)' @ L\(statement.range.line)")
      }
    }
    return .denied(reasons.isEmpty ? ["No matching allow statements"] : reasons)
  }
}
