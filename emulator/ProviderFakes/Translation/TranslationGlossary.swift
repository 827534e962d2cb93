import Foundation

/// The fake's only glossary, `glossaries/demo` in any region: a few terms with their translations.
enum TranslationGlossary {
  static let id = "demo"

  private static let terms = [
    ["en": "stand-up", "it": "riunione lampo", "es": "reunión diaria", "fr": "point quotidien"],
    ["en": "docks", "it": "moli", "es": "muelles", "fr": "quais"],
  ]

  /// Returns a Boolean value that indicates whether the glossary has terms in both languages.
  static func has(_ source: String, _ target: String) -> Bool {
    terms.contains { $0[source] != nil && $0[target] != nil }
  }

  /// Returns the text with every untranslated term replaced by the glossary's translation.
  static func apply(
    to text: String,
    from source: String,
    to target: String,
    ignoringCase: Bool
  ) -> String {
    terms.reduce(text) { text, term in
      guard let word = term[source], let translation = term[target] else { return text }
      return text.replacingOccurrences(
        of: word,
        with: translation,
        options: ignoringCase ? .caseInsensitive : []
      )
    }
  }
}
