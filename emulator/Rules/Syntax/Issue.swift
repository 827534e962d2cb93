/// An error or a warning about a ruleset's text.
package struct Issue: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    case error = "ERROR"
    case warning = "WARNING"
  }

  /// The place in the text, or `nil` if the issue is about the whole text.
  package var range: SourceRange?
  package var description: String
  package var severity: Severity

  package init(_ severity: Severity, _ description: String, at range: SourceRange?) {
    self.severity = severity
    self.description = description
    self.range = range
  }
}

extension [Issue] {
  /// The most issues of a text that are reported.
  private static let most = 1_000
  /// The most issues of a text that people see in a terminal, on a page or in an error's message.
  private static let mostShown = 20

  /// The issues that are reported, in the order of the text.
  var limited: [Issue] { limited(to: Self.most) }

  /// The issues that people see, and a text about the others, such as `and 7 more`.
  package var shown: (issues: [Issue], others: String?) {
    let issues = limited(to: Self.mostShown)
    guard issues.count < count else { return (issues, nil) }
    let isComplete = count < Self.most
    return (issues, "and \(isComplete ? "" : "at least ")\(count - issues.count) more")
  }

  /// Returns the issues without those beyond a limit, of which warnings are the first to go.
  private func limited(to most: Int) -> [Issue] {
    guard count > most else { return inTextOrder }
    let errors = filter { $0.severity == .error }.inTextOrder.prefix(most)
    let warnings = filter { $0.severity == .warning }.inTextOrder
    return Array(errors + warnings.prefix(most - errors.count)).inTextOrder
  }

  /// The issues by their places; those about the whole text come first.
  package var inTextOrder: [Issue] {
    sorted {
      let (left, right) = ($0.range?.start ?? -1, $1.range?.start ?? -1)
      return left == right ? $0.description < $1.description : left < right
    }
  }
}
