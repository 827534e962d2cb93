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
