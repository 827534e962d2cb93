import Foundation

/// The one glossary of the fake, `glossaries/demo` in any region: terms that have the same
/// meaning in all its languages.
enum TranslationGlossary {
  static let id = "demo"

  private static let terms = [
    ["en": "stand-up", "it": "riunione lampo", "es": "reunión diaria", "fr": "point quotidien"],
    ["en": "docks", "it": "moli", "es": "muelles", "fr": "quais"],
  ]

  /// Whether it has words of both languages.
  static func has(_ source: String, _ target: String) -> Bool {
    terms.contains { $0[source] != nil && $0[target] != nil }
  }

  /// The glossary's words for those that a translation left as they were.
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
