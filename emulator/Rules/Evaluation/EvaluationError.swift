/// An error in the evaluation of an expression. An error never allows a request.
package struct EvaluationError: Error, Hashable, Sendable {
  /// The text that the denied request's error contains, such as `Null value error.`.
  package var message: String
  /// The place of the innermost expression that failed, or `nil` while it is unknown.
  package var range: SourceRange?

  package init(_ message: String, at range: SourceRange? = nil) {
    self.message = message
    self.range = range
  }
}
