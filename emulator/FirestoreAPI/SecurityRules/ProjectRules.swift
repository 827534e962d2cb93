import Core
import Rules

/// The rules that decide on a project's requests.
struct ProjectRules: Sendable {
  let file: RulesFile
  private let ruleset: Ruleset
  private let coverage: RuleCoverage?
  private let onDebug: @Sendable (String) -> Void

  /// - Parameters:
  ///   - coverage: The coverage that counts the decisions, or `nil` if nothing does.
  ///   - onDebug: A closure that gets the texts of the values that rules give to `debug()`. It is
  ///     called while the store is locked.
  init(
    _ ruleset: Ruleset,
    of file: RulesFile,
    coverage: RuleCoverage? = nil,
    onDebug: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.ruleset = ruleset
    self.file = file
    self.coverage = coverage
    self.onDebug = onDebug
  }

  /// Decides on a request, and counts the evaluated expressions.
  ///
  /// - Parameter budget: What the rules may use. It loses what they use.
  func decide(
    _ request: RulesRequest,
    documents: any DocumentReader,
    budget: inout RequestBudget
  ) -> RecordedDecision {
    let before = budget
    let trace = EvaluationTrace(onOutcome: coverage?.count)
    defer {
      for value in trace.debugged { onDebug(value.shownText) }
    }
    let decision = ruleset.decide(request, documents: documents, budget: &budget, trace: trace)
    return RecordedDecision(
      on: request,
      budget: before,
      decision,
      by: trace.allowed
    )
  }
}
