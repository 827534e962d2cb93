import Foundation

/// The languages that the translation fakes list.
enum TranslationLanguages {
  static let codes = Phrasebook.standard.languages.sorted()

  /// Returns the name of a language in another language, or its code if the name is unknown.
  static func name(of code: String, in language: String) -> String {
    Locale(identifier: language).localizedString(forLanguageCode: code) ?? code
  }

  /// Returns a Boolean value that indicates whether the code has a form that Google accepts. Google
  /// accepts only a few regions.
  static func isCode(_ code: String) -> Bool {
    let regional: Set<String> = [
      "zh-CN", "zh-TW", "pt-BR", "pt-PT", "fr-CA", "mni-Mtei", "ms-Arab", "pa-Arab",
    ]
    return regional.contains(code)
      || (2...3).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
}
