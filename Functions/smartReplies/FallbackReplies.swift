import Chat

/// Replies of one language from a table of ours, for when no model answers: they say no more than
/// what fits most messages of a kind, whoever writes and is addressed.
struct FallbackReplies {
  /// Phrases by which a message's intent is known, separated by commas: those that say nothing else. Who
  /// says "see you" or "want to" may propose something, or not.
  struct Cues {
    var thanks: String
    var greeting: String
    var plan: String
    /// Whether a phrase may stand within a word, as it does where no spaces are written.
    var areWithinWords = false
  }

  /// What marks them as no model's.
  static let engine = "fallback"

  /// Three for each intent, which say the same in every language. The last to a question is that one
  /// comes back to it.
  var question: [String]
  var thanks: [String]
  var greeting: [String]
  /// To what somebody proposes.
  var plan: [String]
  /// Two for everything else, bad news among it: with the third to a question they are three.
  var other: [String]
  var cues: Cues

  func replies(to intent: MessageIntent) -> [String] {
    switch intent {
    case .question: question
    case .thanks: thanks
    case .greeting: greeting
    case .plan: plan
    case .other: other + question.suffix(1)
    }
  }

  /// Three replies in the plan's two languages; nil if one of them has no table.
  static func suggestions(for plan: ReplyPlan) -> Suggestions? {
    guard let own = table(of: plan.language), let other = table(of: plan.otherLanguage) else {
      return nil
    }
    let pairs = zip(own.replies(to: plan.intent), other.replies(to: plan.intent))
    return Suggestions(suggestions: pairs.map { .init(text: $0, translation: $1) })
  }

  /// The table of a language, whatever its region; nil if there is none.
  static func table(of language: Language) -> FallbackReplies? {
    guard language.base == "zh" else { return tables[language.base] }
    let isTraditional = traditional.map { language.isReadable(as: $0) } ?? false
    return isTraditional ? traditionalChinese : simplifiedChinese
  }

  private static let traditional = try? Language("zh-Hant")

  /// By base code; Chinese has two.
  static let tables: [String: FallbackReplies] = [
    "ar": arabic, "bg": bulgarian, "bn": bengali, "ca": catalan, "cs": czech, "da": danish,
    "de": german, "el": greek, "en": english, "es": spanish, "fa": persian, "fi": finnish,
    "fr": french, "he": hebrew, "hi": hindi, "hr": croatian, "hu": hungarian, "id": indonesian,
    "it": italian, "ja": japanese, "ko": korean, "nl": dutch, "no": norwegian, "pl": polish,
    "pt": portuguese, "ro": romanian, "ru": russian, "sk": slovak, "sv": swedish, "th": thai,
    "tr": turkish, "uk": ukrainian, "vi": vietnamese,
  ]
}

extension FallbackReplies.Cues {
  /// Whether one of the phrases is among a text's words.
  func found(_ phrases: String, in words: [String]) -> Bool {
    let text = " \(words.joined(separator: " ")) "
    return phrases.split(separator: ",").contains { phrase in
      let phrase = FoldedWords.words(of: String(phrase)).joined(separator: " ")
      return text.contains(areWithinWords ? phrase : " \(phrase) ")
    }
  }
}
