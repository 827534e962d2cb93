/// An error in the evaluation of an expression. An error never allows a request.
package struct EvaluationError: Error, Hashable, Sendable {
  /// The text that the denied request's error contains, such as `Null value error.`.
  package private(set) var message: String
  /// The place of the innermost expression that failed, or `nil` while it is unknown.
  package var range: SourceRange?

  /// The most bytes of a message. Messages quote values, which have no such limit.
  private static let mostBytes = 1_000

  /// - Parameter message: The text. If it is too long, its end is replaced by `…`.
  package init(_ message: String, at range: SourceRange? = nil) {
    self.message = message.cut(to: Self.mostBytes)
    self.range = range
  }
}
