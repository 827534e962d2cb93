/// The detector of a chat message's language, which works without a model and a network.
///
/// If one language dominates the text's script, the script decides alone. Among languages with
/// Latin letters, the common words decide, together with the letters that only some of the
/// languages have. If they don't decide, the spelling of the other words does. The detector is
/// meant for texts of a few words: it ignores everything after the first 2,000 scalars.
package enum LanguageDetector {
  private static let maximumScalars = 2_000

  /// Returns the most likely language of a text, or `nil` if it can't be determined.
  ///
  /// - Parameter expected: the codes of the languages of a conversation's participants, the
  ///   writer's first. In doubt, the result is one of these languages. If the text is possible in
  ///   several, the result is the writer's language. The result is an unexpected language only if
  ///   the text is clearly in that language and in none of the expected ones.
  /// - Returns: one of `expected`, unchanged, or a base code.
  package static func detect(_ text: String, expected: [String] = []) -> String? {
    let scalars = Array(text.unicodeScalars.prefix(maximumScalars))
    let counts = Script.counts(in: scalars)
    let expected = expected.map(ExpectedLanguage.init)
    if let script = Script.dominant(of: counts) {
      let possible = expected.filter { $0.scripts.contains(script) }
      return possible.first { !contradicts(text, language: $0.code) }?.code
        ?? language(of: scalars, in: script)
    }
    guard counts[.latin, default: 0] > counts[.other, default: 0] else { return nil }
    let scores = LanguageScores(scalars)
    // An expected language without a table can't be compared. A text that looks like another
    // language may be in this language.
    guard expected.allSatisfy({ !$0.scripts.contains(.latin) || $0.table != nil }) else {
      return expected.first { $0.table != nil && $0.table == scores.clearest }?.code
    }
    if let language = likeliest(of: expected, in: scores) { return language }
    guard let table = scores.clearest ?? (expected.isEmpty ? scores.bestSpelled : nil) else {
      return nil
    }
    return expected.first { $0.table == table }?.code ?? CommonWords.languages[table]
  }

  /// Returns the expected language whose words and spelling fit the text best.
  ///
  /// The result is `nil` if the text has no ordinary words, or if an unexpected language clearly
  /// has more of the text's words.
  private static func likeliest(
    of expected: [ExpectedLanguage],
    in scores: LanguageScores
  ) -> String? {
    let candidates = expected.filter { $0.table != nil }
    guard scores.ordinaryWords > 0, let first = candidates.first?.table else { return nil }
    let likelihoods = candidates.count > 1 ? scores.likelihoods : []
    func likelihood(_ table: Int) -> Float {
      likelihoods.isEmpty ? 0 : likelihoods[table] + (table == first ? writersLead : 0)
    }
    let best = candidates.max { one, other in
      guard let one = one.table, let other = other.table else { return false }
      return likelihood(one) < likelihood(other)
    }
    guard let best, let table = best.table else { return nil }
    if let clearest = scores.clearest, clearest != table, isOutweighed(table, in: scores) {
      return nil
    }
    return best.code
  }

  /// The advantage of the writer's own language, as a logarithm of base 2.
  private static let writersLead: Float = 3

  /// Returns the language of a text in a known script.
  ///
  /// Han letters alone are Chinese, except for words and letters that only Japanese has.
  private static func language(of text: [Unicode.Scalar], in script: Script) -> String? {
    guard script == .han else { return script.language }
    let letters = text.filter(\.properties.isAlphabetic)
    let isJapanese =
      letters.count <= longestJapaneseWord
      && japaneseWords.contains(String(String.UnicodeScalarView(letters)))
      || letters.contains { japaneseLetters.contains($0) }
    return isJapanese ? "ja" : "zh"
  }

  /// The letters in a simplified form that only Japan uses.
  private static let japaneseLetters = Set(
    "気駅円広図売読込働帰渋沢済戦様伝関実薬雑変両楽検発対単験択訳転続総県拝拡歩毎"
      .unicodeScalars
  )

  private static let longestJapaneseWord = 3

  /// The words that Japanese speakers write without kana, in letters that Chinese has, too.
  private static let japaneseWords: Set<String> = [
    "大丈夫", "無理", "最高", "承知", "何時", "何処", "今夜", "先週", "来週", "昨夜", "仕事", "元気",
    "納得", "残念", "笑", "乙",
  ]

  /// Returns a Boolean value that indicates whether a text is clearly not in a language: in another
  /// script, or full of another language's common words.
  ///
  /// The result is `false` in doubt: for a name, a number, one or two international words, or an
  /// unknown language. Text in quotation marks is ignored, since a text may quote a message in
  /// another language. A text that is only a quotation is checked as a whole.
  ///
  /// - Parameters:
  ///   - code: a language code; only the base of `pt-BR` and `zh-Hant` counts.
  ///   - minimumWords: the minimum number of words for a comparison of common words. A shorter text
  ///     is judged by its script alone: "Bon voyage!" and "Happy birthday!" are used in many
  ///     languages.
  package static func contradicts(
    _ text: String,
    language code: String,
    minimumWords: Int = 0
  ) -> Bool {
    let subtags = subtags(of: code)
    guard let base = subtags.first, !subtags.contains("latn"),
      let scripts = Script.scripts(of: base)
    else { return false }
    // The most frequent case: only the script decides, the language has Latin letters, and the text
    // is ASCII.
    if minimumWords == .max, scripts.contains(.latin), text.utf8.allSatisfy({ $0 < 0x80 }) {
      return false
    }
    let whole = Array(text.unicodeScalars.prefix(maximumScalars))
    let unquoted = QuotedText.removed(from: whole)
    let scalars = unquoted.contains(where: \.properties.isAlphabetic) ? unquoted : whole
    let counts = Script.counts(in: scalars)
    let weights = counts.map { (script: $0, weight: $0.weight * $1) }
    let total = weights.reduce(0) { $0 + $1.weight }
    let own = weights.reduce(0) { scripts.contains($1.script) ? $0 + $1.weight : $0 }
    guard own * 3 >= total else {
      // A few letters of a foreign alphabet contradict the language. Latin letters contradict it
      // only if they form ordinary words, since they may be a name or a brand.
      let foreign = total - own
      return counts[.latin, default: 0] * 2 >= foreign
        ? hasPlainWords(scalars, amongOthers: own > 0) : foreign >= minimumForeignLetters
    }
    switch base {
    case "zh", "yue":
      let kana = counts[.kana, default: 0]
      return kana > 1 && kana * 5 >= counts[.han, default: 0]
    case "ja": return counts[.kana] == nil && isChinese(scalars, letters: counts[.han, default: 0])
    case "hi": return false
    default:
      guard let language = CommonWords.languages.firstIndex(of: base),
        minimumWords == 0 || TextWord.words(in: scalars).count >= minimumWords
      else { return false }
      return isOutweighed(language, in: LanguageScores(scalars))
    }
  }

  /// Returns the parts of a language code in lower case, or none if it is too long for a code.
  static func subtags(of code: String) -> [String] {
    guard code.utf8.count <= longestCode else { return [] }
    return code.utf8.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
  }

  /// The maximum length of a code, in bytes. RFC 5646 expects at most 35 for a tag.
  private static let longestCode = 35

  /// Returns a Boolean value that indicates whether a word is one of the most common words of chat
  /// in any language.
  ///
  /// Such a word doesn't identify a person or a topic.
  package static func isCommonWord(_ word: String) -> Bool {
    CommonWords.languages(having: word, isCapitalized: false) != 0
  }

  /// The minimum number of letters in another script. Fewer may be an emoticon.
  private static let minimumForeignLetters = 4

  /// Returns a Boolean value that indicates whether a text in Latin letters consists of words in
  /// any language, rather than of names.
  private static func hasPlainWords(_ text: [Unicode.Scalar], amongOthers: Bool) -> Bool {
    let scores = LanguageScores(text)
    return scores.knownWords >= 2 || scores.ordinaryWords >= 5
      || !amongOthers && scores.knownWords == 1 && scores.ordinaryWords >= 2
  }

  /// Returns a Boolean value that indicates whether Han letters without kana are Chinese.
  ///
  /// The letters are Chinese if Japanese doesn't use one of them, or if there are more of them than
  /// in a Japanese word.
  private static func isChinese(_ text: [Unicode.Scalar], letters: Int) -> Bool {
    letters >= 8 || text.contains { chineseLetters.contains($0) }
  }

  private static let chineseLetters: Set<Unicode.Scalar> = [
    "你", "您", "们", "們", "这", "這", "吗", "嗎", "呢", "吧", "啊", "哪", "什", "么", "麼", "没",
    "说", "說", "给", "很", "咱", "见", "谢", "她", "它", "车", "买", "卖", "发", "爱", "欢", "乐", "带",
    "边", "进", "远", "运", "还", "过", "对", "话", "语", "请", "让", "谁", "诉", "记", "许", "证", "识",
    "该", "谈", "钟", "钱", "铁", "错", "长", "问", "间", "门", "开", "关", "难", "飞", "馆", "马", "热",
    "岁", "师", "帮", "张", "总", "块", "码", "别", "东", "书", "课", "听", "觉", "样", "认", "应", "几",
  ]

  /// Returns a Boolean value that indicates whether another language clearly has more of the words,
  /// or has all of them while the given language has none.
  private static func isOutweighed(_ language: Int, in scores: LanguageScores) -> Bool {
    let own = scores.points[language]
    return scores.points.indices.contains { other in
      let points = scores.points[other]
      guard scores.words[other] >= 2 else { return false }
      return points >= 13 && points >= 2 * own && points - own >= 10
        || points >= 5 && own == 0 && !scores.hasUnknownWords
    }
  }
}
