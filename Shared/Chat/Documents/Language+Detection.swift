import LanguageDetection

extension Language {
  /// The codes that clients and detectors write for an unknown language or for no language.
  ///
  /// Source: ISO 639-2 (`und`, `mul`, `zxx`).
  private static let codesOfNone: Set<String> = ["und", "mul", "zxx", "auto"]

  /// Returns a Boolean value that indicates whether a code, in any letter case, names no language.
  ///
  /// A text with such a code counts as one without a code.
  package static func isNone(_ code: String) -> Bool {
    code.utf8.count <= 4 && codesOfNone.contains(code.lowercased())
  }

  /// Creates the most likely language of a text, or `nil` if it can't be determined.
  package init?(detectedIn text: String) {
    guard let code = LanguageDetector.detect(text), let language = try? Language(code) else {
      return nil
    }
    self = language
  }
}
