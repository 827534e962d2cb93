import Chat

/// What a message is, as far as a reply from a table needs to know.
enum MessageIntent: CaseIterable {
  case question, thanks, greeting, plan, other

  /// Of a longer message a greeting is only the beginning.
  private static let greetingLength = 4

  /// - Parameters:
  ///   - language: the text's; one without a table tells no more than whether it asks.
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

  /// Whether there is a question mark; Greek has another one.
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
