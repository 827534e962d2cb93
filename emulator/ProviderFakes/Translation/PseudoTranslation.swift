/// The marked text that replaces an unavailable translation: the target's code in white brackets,
/// then the original text, as in `⟦it⟧ See you at the docks`.
///
/// The text shows that the translator was called. The mark prevents people, tests and caches from
/// taking the text for a real translation.
package enum PseudoTranslation {
  /// The engine's name.
  static let engine = "pseudo"

  /// Returns a Boolean value that indicates whether a part of a text was only marked.
  ///
  /// - Parameter engines: the names of the text's engines, such as `phrasebook+pseudo`.
  package static func isPart(of engines: String) -> Bool {
    engines.split(separator: "+").contains { $0 == engine || $0.hasPrefix("\(engine)-") }
  }

  /// Returns the marked text. Marking twice adds two marks.
  package static func translate(_ text: String, to target: String) -> String {
    "⟦\(target)⟧ \(text)"
  }
}
