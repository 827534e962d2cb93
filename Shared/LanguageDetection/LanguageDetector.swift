/// Tells the language of a chat message, without a model and without a network.
///
/// A script that one language dominates decides. Among languages with Latin letters the common
/// words do, and the letters that only some of them have. It is meant for texts of a few words:
/// nothing behind the first 2,000 scalars is read.
package enum LanguageDetector {
  private static let maximumScalars = 2_000

  /// The base code of the language that a text is most likely in; nil if nothing tells.
  package static func detect(_ text: String) -> String? {
    let scalars = Array(text.unicodeScalars.prefix(maximumScalars))
    let counts = Script.counts(in: scalars)
    if let language = Script.language(of: counts) { return language }
    guard counts[.latin, default: 0] > counts[.other, default: 0] else { return nil }
    let points = LanguageScores(scalars).points
    guard let best = points.indices.max(by: { points[$0] < points[$1] }) else { return nil }
    let second = points.indices.filter { $0 != best }.map { points[$0] }.max() ?? 0
    // One word of its own, or more than half of one ahead.
    let isClear = points[best] >= 8 && points[best] - second >= 4
    return isClear ? CommonWords.languages[best] : nil
  }

  /// Whether a text is clearly not in a language: in another script, or full of another language's
  /// common words.
  ///
  /// In doubt it is not: a name, a number, a word or two that travel, and a language not known here
  /// contradict nothing. What stands in quotation marks is left out, since a text may quote a
  /// message in another language; but if nothing else is there, it is what the text says.
  ///
  /// - Parameters:
  ///   - code: a language code; of `pt-BR` and `zh-Hant` the base counts.
  ///   - minimumWords: of a text with fewer words only the script decides, where it has one of the
  ///     language's: "Bon voyage!" and "Happy birthday!" are said in many.
  package static func contradicts(
    _ text: String,
    language code: String,
    minimumWords: Int = 0
  ) -> Bool {
    let subtags = code.lowercased().split { $0 == "-" || $0 == "_" }
    guard let base = subtags.first.map(String.init), !subtags.contains("latn"),
      let scripts = Script.scripts(of: base)
    else { return false }
    let whole = Array(text.unicodeScalars.prefix(maximumScalars))
    let unquoted = QuotedText.removed(from: whole)
    let scalars = unquoted.contains(where: \.properties.isAlphabetic) ? unquoted : whole
    let counts = Script.counts(in: scalars)
    let weights = counts.map { (script: $0, weight: $0.weight * $1) }
    let total = weights.reduce(0) { $0 + $1.weight }
    let own = weights.reduce(0) { scripts.contains($1.script) ? $0 + $1.weight : $0 }
    guard own * 3 >= total else {
      // A foreign alphabet says enough by itself; Latin letters may be those of a name or a brand.
      let foreign = total - own
      return counts[.latin, default: 0] * 2 >= foreign
        ? hasPlainWords(scalars, amongOthers: own > 0) : foreign >= minimumForeignLetters
    }
    switch base {
    case "zh", "yue":
      let kana = counts[.kana, default: 0]
      return kana > 1 && kana * 5 >= counts[.han, default: 0]
    case "ja": return counts[.kana] == nil && isChinese(scalars, letters: counts[.han, default: 0])
    default:
      guard let language = CommonWords.languages.firstIndex(of: base),
        minimumWords == 0 || TextWord.words(in: scalars).count >= minimumWords
      else { return false }
      return isOutweighed(language, in: LanguageScores(scalars))
    }
  }

  /// Whether a word is among the commonest of chat in any language: everybody says it, and it tells
  /// of nobody.
  package static func isCommonWord(_ word: String) -> Bool {
    CommonWords.languages(having: word, isCapitalized: false) != 0
  }

  /// Fewer letters of another script may be an emoticon.
  private static let minimumForeignLetters = 4

  /// Whether a text in Latin letters consists of words, of any language, rather than of names.
  private static func hasPlainWords(_ text: [Unicode.Scalar], amongOthers: Bool) -> Bool {
    let scores = LanguageScores(text)
    return scores.knownWords >= 2 || scores.ordinaryWords >= 5
      || !amongOthers && scores.knownWords == 1 && scores.ordinaryWords >= 2
  }

  /// Whether Han letters without kana are Chinese: by letters that Japanese doesn't use, or by a
  /// number of them that no Japanese word has.
  private static func isChinese(_ text: [Unicode.Scalar], letters: Int) -> Bool {
    letters >= 8 || text.contains { chineseLetters.contains($0) }
  }

  private static let chineseLetters: Set<Unicode.Scalar> = [
    "你", "您", "们", "們", "这", "這", "吗", "嗎", "呢", "吧", "啊", "哪", "什", "么", "麼", "没",
    "说", "說", "给", "很", "咱", "见", "谢", "她", "它",
  ]

  /// Whether another language has clearly more of the words; or all of them, and this one none.
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
