/// What happens in an evaluation besides its result: its expressions are counted, and the values of
/// `debug()` are kept.
package final class EvaluationTrace {
  package typealias Outcome = Result<RulesValue, EvaluationError>

  private let coverage: RuleCoverage?
  /// The arguments of `debug()`, in the order of the calls.
  package private(set) var debugged: [RulesValue] = []

  /// - Parameter coverage: The coverage that counts the expressions, or `nil` if nothing does.
  package init(countingIn coverage: RuleCoverage?) { self.coverage = coverage }

  /// Counts an evaluated expression. An expression of a function is counted for each call.
  func append(_ outcome: Outcome, at range: SourceRange) { coverage?.count(outcome, at: range) }

  func debug(_ value: RulesValue) { debugged.append(value) }
}
