/// What stands in quotation marks: it may be in another language than the text around it.
enum QuotedText {
  /// The text without what is quoted. A mark that is never closed quotes nothing.
  static func removed(from text: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
    var kept: [Unicode.Scalar] = []
    var open: (family: Int, index: Int)?
    for scalar in text {
      let family = families.firstIndex { $0.contains(scalar) }
      if let family, let quote = open, quote.family == family {
        kept.removeSubrange(quote.index...)
        kept.append(" ")
        open = nil
      } else {
        if let family, open == nil { open = (family, kept.count) }
        kept.append(scalar)
      }
    }
    return kept
  }

  /// Marks that close each other; which of them opens depends on the language.
  private static let families: [[Unicode.Scalar]] = [
    ["\""], ["“", "”", "„", "‟"], ["«", "»"], ["‹", "›"], ["「", "」"], ["『", "』"],
  ]
}
