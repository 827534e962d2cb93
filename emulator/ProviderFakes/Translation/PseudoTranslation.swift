/// The marked text that replaces an unavailable translation: the target's code in white brackets,
/// then the original text, as in `⟦it⟧ See you at the docks`.
///
/// The text shows that the translator was called. The mark prevents people, tests and caches from
/// taking the text for a real translation.
package enum PseudoTranslation {
  /// Returns the marked text. Marking twice adds two marks.
  package static func translate(_ text: String, to target: String) -> String {
    "⟦\(target)⟧ \(text)"
  }
}
