import Foundation

/// Languages as Google's and LibreTranslate's fakes list them.
enum TranslationLanguages {
  static let codes = Phrasebook.standard.languages.sorted()

  /// What a language is called in another; its code where nobody knows.
  static func name(of code: String, in language: String) -> String {
    Locale(identifier: language).localizedString(forLanguageCode: code) ?? code
  }

  /// Whether Google could know such a code: it refuses regions other than a few.
  static func isCode(_ code: String) -> Bool {
    let regional: Set<String> = [
      "zh-CN", "zh-TW", "pt-BR", "pt-PT", "fr-CA", "mni-Mtei", "ms-Arab", "pa-Arab",
    ]
    return regional.contains(code)
      || (2...3).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
}
