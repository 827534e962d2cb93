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

extension String {
  /// Returns the text, or its beginning with `…` if it has more bytes than `limit`.
  fileprivate func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    // A scalar isn't divided.
    while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end]) + "…"
  }
}
