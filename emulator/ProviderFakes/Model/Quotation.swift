/// A message as a sentence quotes it: one line, not too long, without quotes of its own.
enum Quotation {
  /// In scalars, the ellipsis included.
  static let maximumLength = 160

  /// The text between typographic fake quotes; nil if nothing of it can be seen.
  ///
  /// White space and controls become single spaces, fake quotes single ones. Marks that turn
  /// the direction of the line are left out: they would turn the sentence around the quote too.
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
    // Cut between words where that costs little.
    if isCut, !isSpacePending, let lastSpace, length - lastSpace.length < 30 {
      line.removeSubrange(lastSpace.index...)
    }
    return "“\(line)\(isCut ? "…" : "")”"
  }

  private static let doubleQuotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "‟", "«", "»", "＂"]

  /// Unicode's explicit marks of direction.
  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
