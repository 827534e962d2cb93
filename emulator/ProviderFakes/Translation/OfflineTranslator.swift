import LanguageDetection

/// The translator that needs no provider. It uses the phrasebook, then Apertium if requested, and
/// otherwise returns the text with a visible mark.
///
/// Every text has a result, together with the name of its engine. The phrasebook translates example
/// messages. On any other message, the mark shows that the translator was called.
package struct OfflineTranslator: Sendable {
  private let phrasebook: Phrasebook?
  private let apertium: Apertium?

  /// Creates a translator.
  ///
  /// - Parameters:
  ///   - phrasebook: the phrasebook, which is used first, or `nil` for none.
  ///   - apertium: the translator for texts that the phrasebook lacks, or `nil` for none.
  package init(phrasebook: Phrasebook? = .standard, apertium: Apertium? = nil) {
    self.phrasebook = phrasebook
    self.apertium = apertium
  }

  /// The names of the engines, in the order in which they are used.
  package var engines: [String] {
    [phrasebook.map { _ in "phrasebook" }, apertium?.description, PseudoTranslation.engine]
      .compactMap(\.self)
  }

  /// A few phrases of the phrasebook to try, by language; empty without a phrasebook.
  package var examples: [String: [String]] { phrasebook?.examples ?? [:] }

  typealias Answer = (text: String, engine: String, detectedSource: String?)

  /// Translates a text and returns the engine's name with it.
  ///
  /// - Parameters:
  ///   - source: a language code, or `nil` to detect the language. Regions and scripts are ignored
  ///     in both codes: the phrasebook has one column for `pt-BR` and `pt-PT`.
  ///   - target: a language code.
  /// - Returns: the translation, the engine, and the source if it was detected. The engine is
  ///   `phrasebook`, `apertium` (see `Apertium`), `pseudo` (see `PseudoTranslation`), or `identity`
  ///   if both languages are the same or the text has no letters.
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
    return (PseudoTranslation.translate(text, to: target), PseudoTranslation.engine, detected)
  }

  /// Translates several texts.
  func translate(_ texts: [String], from source: String?, to target: String) async -> [Answer] {
    var answers: [Answer] = []
    for text in texts { answers.append(await translate(text, from: source, to: target)) }
    return answers
  }

  /// Returns the base code of the text's language. If the phrasebook doesn't have the text, the
  /// language detector decides; `en` is the default.
  package func detect(_ text: String) -> String {
    phrasebook?.detect(text) ?? LanguageDetector.detect(text) ?? "en"
  }

  private func base(of code: String) -> String {
    code.prefix { $0 != "-" && $0 != "_" }.lowercased()
  }
}
