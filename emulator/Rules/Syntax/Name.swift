/// A name in a ruleset's text.
package struct Name: Hashable, Sendable {
  package var text: String
  package var range: SourceRange

  package init(_ text: String, at range: SourceRange) {
    self.text = text
    self.range = range
  }
}
