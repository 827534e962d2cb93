import LanguageDetection

/// Translates without a provider: from the phrasebook where it can, visibly marked otherwise.
///
/// It answers always, at once and the same way each time, so that an example message reads like
/// the product and any other shows at least that it was taken through.
package struct OfflineTranslator: Sendable {
  private let phrasebook: Phrasebook

  package init(phrasebook: Phrasebook = .standard) {
    self.phrasebook = phrasebook
  }

  /// The text in another language, and who made it.
  ///
  /// - Parameters:
  ///   - source: a language code, or nil to have it detected. As with the target, region and
  ///     script don't matter: the book has one column for `pt-BR` and `pt-PT`.
  ///   - target: a language code.
  /// - Returns: The text; the engine: `phrasebook`, `pseudo` (see `PseudoTranslation`), or
  ///   `identity` where nothing needed translating, since both languages are the same or the text
  ///   has no letters; and the source where it was detected.
  package func translate(
    _ text: String,
    from source: String?,
    to target: String
  ) -> (text: String, engine: String, detectedSource: String?) {
    let detected = source == nil ? detect(text) : nil
    let sourceBase = base(of: source ?? detected ?? "")
    let targetBase = base(of: target)
    if sourceBase == targetBase || !text.unicodeScalars.contains(where: \.properties.isAlphabetic) {
      return (text, "identity", detected)
    }
    if let translation = phrasebook.translate(text, from: sourceBase, to: targetBase) {
      return (translation, "phrasebook", detected)
    }
    return (PseudoTranslation.translate(text, to: target), "pseudo", detected)
  }

  /// The base code of the text's language: the phrasebook's opinion, else the detector's.
  package func detect(_ text: String) -> String {
    phrasebook.detect(text) ?? LanguageDetector.detect(text) ?? "en"
  }

  private func base(of code: String) -> String {
    code.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }
}
