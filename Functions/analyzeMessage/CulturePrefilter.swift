import Chat
import Core
import FunctionRuntime
import LanguageDetection

/// Whether a model is asked about a message at all: most of what people write needs no explanation,
/// and each question costs.
///
/// It decides about events. Who calls wants to know, and is answered by the model.
enum CulturePrefilter: Sendable {
  /// Only about messages that may hold something.
  case on
  /// About every message.
  case off

  /// The variable that switches it off.
  static let variable = "ANALYSIS_PREFILTER"

  /// Why a message is skipped.
  static let reason = "nothing idiomatic seen"

  /// - Throws: a configuration error if the variable is neither `on` nor `off`.
  init(_ configuration: Configuration) throws(StatusError) {
    switch configuration[Self.variable] {
    case nil, "on": self = .on
    case "off": self = .off
    default: throw .configuration(.invalidArgument, "\(Self.variable) is neither on nor off")
    }
  }

  /// Whether there may be something to explain. In a language without a lexicon there always may,
  /// if there is a word.
  ///
  /// - Parameter language: the message's. A text that is clearly in another one is looked at as that.
  func passes(_ text: String, in language: Language) -> Bool {
    guard self == .on else { return true }
    let words = FoldedWords.words(of: text)
    guard words.contains(where: { $0.unicodeScalars.contains(where: \.properties.isAlphabetic) })
    else { return false }
    guard let lexicon = CultureLexicon.of(language.base) else { return true }
    if lexicon.hasCue(in: words) { return true }
    guard let other = LanguageDetector.detect(text, expected: [language.code]),
      other != language.code
    else { return false }
    return CultureLexicon.of(other)?.hasCue(in: words) ?? true
  }
}

extension CultureLexicon {
  /// - Parameter language: a base code.
  /// - Returns: nil if there is none.
  static func of(_ language: String) -> CultureLexicon? {
    switch language {
    case "de": german
    case "en": english
    case "es": spanish
    case "fr": french
    case "it": italian
    case "nl": dutch
    case "pt": portuguese
    default: nil
    }
  }
}
