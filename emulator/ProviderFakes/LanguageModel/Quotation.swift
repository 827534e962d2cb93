/// The quotation of a message in a sentence: one line of limited length without inner double
/// quotes.
enum Quotation {
  /// The maximum length in scalars, including the ellipsis.
  static let maximumLength = 160

  /// Returns the text in typographic quotes, or `nil` if none of it is visible.
  ///
  /// White space and control characters become single spaces; double quotes become apostrophes.
  /// Direction marks are removed, because they would also affect the sentence around the quotation.
  static func of(_ text: String) -> String? {
    var line = String.UnicodeScalarView()
    var length = 0
    var isSpacePending = false
    var isCut = false
    var lastSpace: (index: String.Index, length: Int)?
    for scalar in text.unicodeScalars where !turnsDirection(scalar) {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        isSpacePending = length > 0
        continue
      }
      if length + (isSpacePending ? 2 : 1) >= maximumLength {
        isCut = true
        break
      }
      if isSpacePending {
        lastSpace = (line.endIndex, length)
        line.append(" ")
        length += 1
        isSpacePending = false
      }
      line.append(doubleQuotes.contains(scalar) ? "'" : scalar)
      length += 1
    }
    guard length > 0 else { return nil }
    // Cut at the last space if it is near the end.
    if isCut, !isSpacePending, let lastSpace, length - lastSpace.length < 30 {
      line.removeSubrange(lastSpace.index...)
    }
    return "“\(line)\(isCut ? "…" : "")”"
  }

  private static let doubleQuotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "‟", "«", "»", "＂"]

  /// Returns a Boolean value that indicates whether a scalar is one of Unicode's direction marks.
  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
