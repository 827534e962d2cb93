/// A stand-in for a translation that nobody has: the target's code in white brackets, then the
/// text unchanged, as in `⟦it⟧ See you at the docks`.
///
/// It shows that a message went through the translator, and is marked so plainly because nobody
/// must mistake it for the real thing: not a person reading a demo, not a test, not a cache.
package enum PseudoTranslation {
  /// The marked text. Marking twice gives two marks.
  package static func translate(_ text: String, to target: String) -> String {
    "⟦\(target)⟧ \(text)"
  }
}
