import LanguageDetection

/// Everyday chat phrases in six languages, with their translations into each other.
///
/// The phrasebook gives example messages a real translation without a provider. It matches only
/// whole sentences and never translates a part of a text.
package struct Phrasebook: Sendable {
  /// The emulator's phrasebook, parsed at first use.
  package static let standard = Phrasebook(
    languages: ["en", "es", "it", "fr", "pt", "de"],
    tables: tables
  )

  /// The base language codes in the order of the columns. If a text is in several of the languages,
  /// the first one is assumed.
  package let languages: [String]

  /// The number of phrases.
  package var count: Int { phrases.count }

  /// The phrases as the tables have them: each is an array of texts, one for each language.
  let phrases: [[String]]

  /// The lines with an empty column or the wrong number of columns, which are ignored.
  let malformedLines: [String]

  /// The index of each phrase by its lookup keys, for each language.
  private let index: [[String: Int]]

  /// Parses tables. Each line is a phrase in columns, separated by ` | `, in the order of
  /// `languages`.
  init(languages: [String], tables: [String]) {
    var phrases: [[String]] = []
    var malformedLines: [String] = []
    for line in tables.flatMap({ $0.split(separator: "\n") }) {
      let columns = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
      if columns.count == languages.count, columns.allSatisfy({ !Sentence($0).core.isEmpty }) {
        phrases.append(columns)
      } else {
        malformedLines.append(String(line))
      }
    }
    self.languages = languages
    self.phrases = phrases
    self.malformedLines = malformedLines
    self.index = languages.indices.map { language in
      let cores = phrases.map { Sentence($0[language]).core }
      let printed = zip(cores, cores.indices)
      let folded = zip(cores.map(Sentence.folded), cores.indices)
      let plain = folded.map { (MaskedSentence.withoutCommas($0), $1) }
      return Dictionary(
        Array(printed) + Array(folded) + plain,
        uniquingKeysWith: { first, _ in first }
      )
    }
  }

  /// Returns the translation of a text, or `nil` if a part of the text isn't a phrase or a language
  /// isn't in the phrasebook.
  ///
  /// A phrase that equals the text exactly is preferred. Otherwise letter case, the shape of
  /// apostrophes and a missing ¿ or ¡ don't matter. One final mark may be missing or added, but a
  /// question mark never turns a statement into a question. Emoji and white space around phrases
  /// are kept, as are the names, numbers and times at a phrase's masks. If several phrases match,
  /// the first one is used.
  package func translate(_ text: String, from source: String, to target: String) -> String? {
    guard let source = languages.firstIndex(of: source),
      let target = languages.firstIndex(of: target)
    else { return nil }
    for sentences in readings(of: text) {
      guard let matches = matches(for: sentences, in: source) else { continue }
      return zip(sentences, matches)
        .map { sentence, phrase in
          let answer = phrase.map { match in
            PhraseMask.fill(Sentence(phrases[match.phrase][target]).core, with: match.values)
          }
          return sentence.before + (answer ?? "") + sentence.after
        }
        .joined()
    }
    return nil
  }

  /// Returns the language whose column contains the text, or `nil` if there is none. The rules are
  /// those of `translate`.
  ///
  /// An exact match in one language is preferred to an inexact match in another: "Vamos!" is
  /// Portuguese. If several languages remain, the first one in `languages` is returned.
  package func detect(_ text: String) -> String? {
    let readings = readings(of: text)
    for exactly in [true, false] {
      for (index, language) in languages.enumerated()
      where readings.contains(where: { matches(for: $0, in: index, exactly: exactly) != nil }) {
        return language
      }
    }
    return nil
  }

  /// Returns the two ways to split a text: as one phrase, and into sentences.
  private func readings(of text: String) -> [[Sentence]] {
    [[Sentence(text)], Sentence.sentences(of: text)]
  }

  /// The index of a phrase, and the values of its masks.
  private struct Match {
    var phrase: Int
    var values: [PhraseMask: String] = [:]
  }

  /// Returns the phrase of each sentence, with `nil` for a sentence without words. The whole result
  /// is `nil` if a sentence with words has no phrase, or if no sentence has words.
  private func matches(
    for sentences: [Sentence],
    in language: Int,
    exactly: Bool = false
  ) -> [Match?]? {
    var matches: [Match?] = []
    for sentence in sentences {
      if sentence.core.isEmpty {
        matches.append(nil)
        continue
      }
      let keys = sentence.keys.prefix(exactly ? 1 : .max)
      if let phrase = phrase(keys, in: language) {
        matches.append(Match(phrase: phrase))
      } else if !exactly, let match = maskedMatch(for: sentence, in: language) {
        matches.append(match)
      } else {
        return nil
      }
    }
    return matches.contains { $0 != nil } ? matches : nil
  }

  private func maskedMatch(for sentence: Sentence, in language: Int) -> Match? {
    MaskedSentence.all(of: sentence.core, isCommonWord: LanguageDetector.isCommonWord).lazy
      .compactMap { masked in
        phrase(masked.sentence.keys[...], in: language).flatMap { phrase in
          // If a person typed the symbol of a mask, such as `#`, it isn't a mask.
          Set(PhraseMask.masks(in: phrases[phrase][language]).keys) == Set(masked.values.keys)
            ? Match(phrase: phrase, values: masked.values) : nil
        }
      }
      .first
  }

  private func phrase(_ keys: ArraySlice<String>, in language: Int) -> Int? {
    keys.lazy.compactMap { index[language][$0] }.first
  }
}
