/// The values of the expressions that decided on a request, in the order in which they were known.
package final class EvaluationTrace {
  package typealias Outcome = Result<RulesValue, EvaluationError>

  /// An evaluated expression. An expression of a function occurs once for each call.
  package struct Entry {
    package let range: SourceRange
    package let outcome: Outcome
  }

  package private(set) var entries: [Entry] = []
  /// The arguments of `debug()`, in the order of the calls.
  package private(set) var debugged: [RulesValue] = []

  package init() {
    // Enough for most requests.
    entries.reserveCapacity(64)
  }

  func append(_ outcome: Outcome, at range: SourceRange) {
    entries.append(Entry(range: range, outcome: outcome))
  }

  func debug(_ value: RulesValue) { debugged.append(value) }
}
