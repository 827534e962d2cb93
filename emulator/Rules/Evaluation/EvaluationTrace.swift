/// What happens in an evaluation besides its result: the outcomes of its expressions, and the values
/// of `debug()`.
package final class EvaluationTrace {
  package typealias Outcome = Result<RulesValue, EvaluationError>

  /// An evaluated expression. An expression of a function occurs once for each call.
  package struct Entry {
    package let range: SourceRange
    package let outcome: Outcome
  }

  private let coverage: RuleCoverage?
  /// The evaluated expressions in the order in which their outcomes were known. It is empty if a
  /// coverage counts them.
  package private(set) var entries: [Entry] = []
  /// The arguments of `debug()`, in the order of the calls.
  package private(set) var debugged: [RulesValue] = []

  /// - Parameter coverage: The coverage that counts the expressions, or `nil` to keep them in
  ///   `entries`, which takes longer.
  package init(countingIn coverage: RuleCoverage? = nil) { self.coverage = coverage }

  func append(_ outcome: Outcome, at range: SourceRange) {
    if let coverage {
      coverage.count(outcome, at: range)
    } else {
      entries.append(Entry(range: range, outcome: outcome))
    }
  }

  func debug(_ value: RulesValue) { debugged.append(value) }
}
