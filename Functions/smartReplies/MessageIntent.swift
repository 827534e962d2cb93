import Chat

/// The intent of a message, which selects the fallback replies from a table.
enum MessageIntent: CaseIterable {
  case question, thanks, greeting, plan, other

  /// The maximum number of words of a greeting with a question mark. A longer message is a
  /// question.
  private static let greetingLength = 4

  /// Creates the intent of a text.
  ///
  /// - Parameters:
  ///   - language: the text's language. If it has no table, only questions are recognized.
  init(of text: String, in language: Language) {
    let asks = Self.asks(text, in: language)
    let words = FoldedWords.words(of: text)
    let cues = FallbackReplies.table(of: language)?.cues
    func has(_ phrases: KeyPath<FallbackReplies.Cues, String>) -> Bool {
      cues.map { $0.found($0[keyPath: phrases], in: words) } ?? false
    }
    self =
      if has(\.plan) {
        .plan
      } else if has(\.thanks), !asks {
        .thanks
      } else if has(\.greeting), !asks || words.count <= Self.greetingLength {
        .greeting
      } else {
        asks ? .question : .other
      }
  }

  /// Returns whether a text has a question mark; Greek uses a semicolon.
  private static func asks(_ text: String, in language: Language) -> Bool {
    text.unicodeScalars.contains {
      switch $0 {
      case "?", "？", "؟", "⁇", "⁈", "⁉": true
      case ";", "\u{37E}": language.base == "el"
      default: false
      }
    }
  }
}
