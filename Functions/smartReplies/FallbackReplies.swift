import Chat

/// The table of fallback replies in one language, used if no model answers.
///
/// The replies fit most messages of an intent, and fit any sender and addressee.
struct FallbackReplies {
  /// The phrases that indicate a message's intent, separated by commas.
  ///
  /// Ambiguous phrases are left out: a message with "see you" or "want to" needn't be a proposal.
  struct Cues {
    var thanks: String
    var greeting: String
    var plan: String
    /// A Boolean value that indicates whether phrases also match within words, for languages
    /// written without spaces.
    var areWithinWords = false
  }

  /// The engine name that marks replies from the table.
  static let engine = "fallback"

  /// The three replies to a question; the last one promises an answer later.
  ///
  /// The replies to an intent have the same meaning in every language.
  var question: [String]
  var thanks: [String]
  var greeting: [String]
  /// The three replies to a proposal.
  var plan: [String]
  /// The first two replies to any other message, including bad news. The third is the last reply to
  /// a question.
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

  /// Returns three replies in the plan's two languages, or `nil` if one of them has no table.
  static func suggestions(for plan: ReplyPlan) -> Suggestions? {
    guard let own = table(of: plan.language), let other = table(of: plan.otherLanguage) else {
      return nil
    }
    let pairs = zip(own.replies(to: plan.intent), other.replies(to: plan.intent))
    return Suggestions(suggestions: pairs.map { .init(text: $0, translation: $1) })
  }

  /// Returns the table of a language, ignoring its region, or `nil` if there is none.
  static func table(of language: Language) -> FallbackReplies? {
    guard language.base == "zh" else { return tables[language.base] }
    let isTraditional = traditional.map { language.isReadable(as: $0) } ?? false
    return isTraditional ? traditionalChinese : simplifiedChinese
  }

  private static let traditional = try? Language("zh-Hant")

  /// The tables by base code, except the two tables for Chinese.
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
  /// Returns whether a text's words contain one of the phrases.
  func found(_ phrases: String, in words: [String]) -> Bool {
    let text = " \(words.joined(separator: " ")) "
    return phrases.split(separator: ",").contains { phrase in
      let phrase = FoldedWords.words(of: String(phrase)).joined(separator: " ")
      return text.contains(areWithinWords ? phrase : " \(phrase) ")
    }
  }
}
