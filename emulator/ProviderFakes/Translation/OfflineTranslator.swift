import LanguageDetection

/// Translates without a provider: from the phrasebook where it can, by Apertium if that is asked
/// for, visibly marked otherwise.
///
/// It answers always, and says which engine it was, so that an example message reads like the
/// product and any other shows at least that it was taken through.
package struct OfflineTranslator: Sendable {
  private let phrasebook: Phrasebook?
  private let apertium: Apertium?

  /// - Parameters:
  ///   - phrasebook: asked first; nil for none.
  ///   - apertium: asked for what the phrasebook doesn't have; nil for none.
  package init(phrasebook: Phrasebook? = .standard, apertium: Apertium? = nil) {
    self.phrasebook = phrasebook
    self.apertium = apertium
  }

  /// Who may answer, in the order in which they are asked.
  package var engines: [String] {
    [phrasebook.map { _ in "phrasebook" }, apertium?.description, "pseudo"].compactMap(\.self)
  }

  typealias Answer = (text: String, engine: String, detectedSource: String?)

  /// The text in another language, and who made it.
  ///
  /// - Parameters:
  ///   - source: a language code, or nil to have it detected. As with the target, region and
  ///     script don't matter: the book has one column for `pt-BR` and `pt-PT`.
  ///   - target: a language code.
  /// - Returns: The text; the engine: `phrasebook`, `apertium` (see `Apertium`), `pseudo` (see
  ///   `PseudoTranslation`), or `identity` where nothing needed translating, since both languages
  ///   are the same or the text has no letters; and the source where it was detected.
  func translate(_ text: String, from source: String?, to target: String) async -> Answer {
    let detected = source == nil ? detect(text) : nil
    let sourceBase = base(of: source ?? detected ?? "")
    let targetBase = base(of: target)
    if sourceBase == targetBase || !text.unicodeScalars.contains(where: \.properties.isAlphabetic) {
      return (text, "identity", detected)
    }
    if let translation = phrasebook?.translate(text, from: sourceBase, to: targetBase) {
      return (translation, "phrasebook", detected)
    }
    if let answer = await apertium?.translate(text, from: sourceBase, to: targetBase) {
      return (answer.text, answer.engine, detected)
    }
    return (PseudoTranslation.translate(text, to: target), "pseudo", detected)
  }

  /// The same for each of several texts.
  func translate(_ texts: [String], from source: String?, to target: String) async -> [Answer] {
    var answers: [Answer] = []
    for text in texts { answers.append(await translate(text, from: source, to: target)) }
    return answers
  }

  /// The base code of the text's language: the phrasebook's opinion, else the detector's.
  package func detect(_ text: String) -> String {
    phrasebook?.detect(text) ?? LanguageDetector.detect(text) ?? "en"
  }

  private func base(of code: String) -> String {
    code.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }
}
