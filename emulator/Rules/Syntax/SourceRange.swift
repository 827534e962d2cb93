/// A part of a ruleset's text. Columns and offsets count Unicode scalars.
package struct SourceRange: Hashable, Sendable {
  /// The line of the first character, from 1.
  package var line: Int
  /// The column of the first character, from 1.
  package var column: Int
  /// The offset of the first character from the start of the text, from 0.
  package var start: Int
  /// The offset of the last character.
  package var end: Int

  package init(line: Int, column: Int, start: Int, end: Int) {
    self.line = line
    self.column = column
    self.start = start
    self.end = end
  }

  /// Returns the range from the start of this one to the end of another.
  func extended(to other: SourceRange) -> SourceRange {
    SourceRange(line: line, column: column, start: start, end: other.end)
  }
}
