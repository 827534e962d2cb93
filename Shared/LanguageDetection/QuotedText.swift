/// The text in quotation marks, which may be in another language than the text around it.
enum QuotedText {
  /// Returns the text without quotations. A mark that is never closed doesn't begin a quotation.
  ///
  /// A single quotation mark may be an apostrophe. It opens a quotation only if no letter is before
  /// it and no space is after it. It closes a quotation only if no letter is after it.
  static func removed(from text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var kept: [Unicode.Scalar] = []
    var open: (family: Int, index: Int)?
    for (index, scalar) in text.enumerated() {
      let family = families.firstIndex { $0.contains(scalar) }
      if let family, let quote = open, quote.family == family,
        !singles.contains(scalar) || !isLetter(text, index + 1)
      {
        kept.removeSubrange(quote.index...)
        kept.append(" ")
        open = nil
      } else {
        if let family, open == nil, !singles.contains(scalar) || canOpen(text, index) {
          open = (family, kept.count)
        }
        kept.append(scalar)
      }
    }
    return kept
  }

  /// The groups of marks that can enclose a quotation. The opening mark depends on the language.
  private static let families: [[Unicode.Scalar]] = [
    ["\""], ["“", "”", "„", "‟"], ["«", "»"], ["‹", "›"], ["「", "」"], ["『", "』"],
    ["'"], ["‘", "’", "‚"],
  ]

  private static let singles: [Unicode.Scalar] = ["'", "‘", "’", "‚"]

  private static func canOpen(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    !isLetter(text, index - 1) && index + 1 < text.count
      && !text[index + 1].properties.isWhitespace
  }

  private static func isLetter(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    text.indices.contains(index) && text[index].properties.isAlphabetic
  }
}
