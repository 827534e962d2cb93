/// The side of an evaluation that its result doesn't show: the outcomes of its expressions, and the
/// values of `debug()`.
package final class EvaluationTrace {
  package typealias Outcome = Result<RulesValue, EvaluationError>

  private let onOutcome: ((Outcome, SourceRange) -> Void)?
  /// The arguments of `debug()`, in the order of the calls.
  package private(set) var debugged: [RulesValue] = []
  /// The place of the statement that has allowed the request, if one has.
  package private(set) var allowed: SourceRange?

  /// - Parameter onOutcome: A closure that gets the outcome of each evaluated expression and the
  ///   expression's place, in the order in which the outcomes are known. An expression of a function
  ///   occurs once for each call.
  package init(onOutcome: ((Outcome, SourceRange) -> Void)? = nil) { self.onOutcome = onOutcome }

  func report(_ outcome: Outcome, at range: SourceRange) { onOutcome?(outcome, range) }

  func allow(by statement: AllowStatement) { allowed = statement.range }

  func debug(_ value: RulesValue) { debugged.append(value) }
}
