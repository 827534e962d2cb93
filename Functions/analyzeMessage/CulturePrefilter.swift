import Chat
import Core
import FunctionRuntime
import LanguageDetection

/// The filter that decides whether a model is asked about a new message.
///
/// Most messages need no explanation, and each request to a model costs money. The filter applies
/// to events only; a client's call is always answered by the model.
enum CulturePrefilter: Sendable {
  /// The model is asked only about messages that may need an explanation.
  case on
  /// The model is asked about every message.
  case off

  /// The environment variable that switches the filter off.
  static let variable = "ANALYSIS_PREFILTER"

  /// The reason given when a message is skipped.
  static let reason = "nothing idiomatic found"

  /// Creates the filter from the environment; the default is `on`.
  ///
  /// - Throws: a configuration error if the variable is neither `on` nor `off`.
  init(_ configuration: Configuration) throws(StatusError) {
    switch configuration[Self.variable] {
    case nil, "on": self = .on
    case "off": self = .off
    default: throw .configuration(.invalidArgument, "\(Self.variable) must be on or off")
    }
  }

  /// Returns whether a text may need an explanation.
  ///
  /// In a language without a lexicon, every text with at least one word passes.
  ///
  /// - Parameter language: the message's language. A text that is clearly in another language is
  ///   also checked as text of that language.
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
  /// Returns the lexicon of a language, or `nil` if there is none.
  ///
  /// - Parameter language: a base code, such as `de`.
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
