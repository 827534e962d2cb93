/// The scores of a text's words and letters for each language of `CommonWords`.
struct LanguageScores {
  /// The points for each of `CommonWords.languages`. A word that only one language has gives
  /// `CommonWords.fullWeight`.
  private(set) var points = [Int](repeating: 0, count: CommonWords.languages.count)
  /// The number of distinct words of each language in the text.
  private(set) var words = [Int](repeating: 0, count: CommonWords.languages.count)
  /// The number of distinct words that are in any table.
  private(set) var knownWords = 0
  /// A Boolean value that indicates whether the text has words that are in no table.
  private(set) var hasUnknownWords = false
  /// The number of distinct ordinary words of at least two letters, known or not.
  ///
  /// Capitalized words, which may be names, and international words such as `ok` aren't ordinary.
  private(set) var ordinaryWords = 0

  /// The ordinary words of any length, separated by spaces.
  private var ordinaryText = ""

  /// The maximum points of letters, equal to the points of one word, since one name may have all
  /// the letters.
  private static let maximumLetterPoints = CommonWords.fullWeight

  /// Creates the scores of a text. Repeated words count once.
  init(_ text: [Unicode.Scalar]) {
    var seen = Set<String>()
    for word in TextWord.words(in: text) where seen.insert(word.text.lowercased()).inserted {
      let languages = Self.languages(having: word)
      add(languages)
      if languages != 0 { knownWords += 1 } else { hasUnknownWords = true }
      if !word.isCapitalized, word.text.unicodeScalars.count > 1, !Self.isNeutral(word) {
        ordinaryWords += 1
      }
      if !word.isCapitalized, !Self.isNeutral(word) {
        ordinaryText += ordinaryText.isEmpty ? word.text : " " + word.text
      }
    }
    var letters = Set<Unicode.Scalar>()
    var letterPoints = points.map { _ in 0 }
    for letter in text where letters.insert(letter).inserted {
      let languages = CommonWords.languages(havingLetter: letter)
      let weight = CommonWords.weight(of: languages)
      for bit in points.indices where languages & (1 << bit) != 0 { letterPoints[bit] += weight }
    }
    for bit in points.indices { points[bit] += min(letterPoints[bit], Self.maximumLetterPoints) }
  }

  /// The index of the language that clearly has the most points, or `nil` if there is none.
  ///
  /// The language needs at least 8 points and a lead of at least 4; a word that only one language
  /// has gives 12.
  var clearest: Int? {
    guard let (best, lead) = Self.leader(points) else { return nil }
    return points[best] >= 8 && lead >= 4 ? best : nil
  }

  /// The index of the language that clearly fits the ordinary words best, by common words and
  /// spelling, or `nil` if there is none.
  ///
  /// A few letters don't decide, since they may be those of a name.
  var bestSpelled: Int? {
    let letters = ordinaryText.unicodeScalars.count { $0 != " " }
    guard letters >= 7, let (best, lead) = Self.leader(likelihoods) else { return nil }
    return lead >= 4 ? best : nil
  }

  /// The likelihood of the text's ordinary words in each language, as a logarithm of base 2.
  ///
  /// Each value is the points of the known words plus the likelihood of the ordinary words'
  /// spelling.
  var likelihoods: [Float] {
    zip(points, LetterGroups.standard.likelihoods(of: ordinaryText.unicodeScalars))
      .map { Float($0) + $1 }
  }

  private static func leader<Score: Comparable & Numeric>(
    _ scores: [Score]
  ) -> (place: Int, lead: Score)? {
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
    let second = scores.indices.filter { $0 != best }.map { scores[$0] }.max() ?? 0
    return (best, scores[best] - second)
  }

  private mutating func add(_ languages: CommonWords.Languages) {
    let weight = CommonWords.weight(of: languages)
    for bit in points.indices where languages & (1 << bit) != 0 {
      points[bit] += weight
      words[bit] += 1
    }
  }

  /// Returns the languages that have a whole word.
  ///
  /// If none has it, the result is the languages that have all of the word's known parts, or else
  /// those that have any part.
  private static func languages(having word: TextWord) -> CommonWords.Languages {
    func find(_ word: TextWord) -> CommonWords.Languages {
      CommonWords.languages(having: word.text, isCapitalized: word.isCapitalized)
    }
    let whole = find(word)
    if whole != 0 { return whole }
    let parts = word.parts.map(find).filter { $0 != 0 }
    let common = parts.reduce(.max, &)
    return parts.isEmpty ? 0 : common != 0 ? common : parts.reduce(0, |)
  }

  /// Returns a Boolean value that indicates whether a word is used all over the world.
  private static func isNeutral(_ word: TextWord) -> Bool {
    ["ok", "okay", "lol", "haha", "hahaha", "wow"].contains(word.text.lowercased())
  }
}
