import LanguageDetection

/// Everyday chat phrases in six languages, with their translations into each other.
///
/// A developer's machine has no translation provider, and an example message still deserves a
/// real translation. The book knows whole sentences only: what it can't translate in full, it
/// doesn't translate at all.
package struct Phrasebook: Sendable {
  /// The book that comes with the emulator, read at first use.
  package static let standard = Phrasebook(
    languages: ["en", "es", "it", "fr", "pt", "de"],
    tables: tables
  )

  /// Base language codes in the order of the columns; the first wins where a text is ambiguous.
  package let languages: [String]

  /// How many phrases the book has.
  package var count: Int { phrases.count }

  /// The phrases as printed, one text for each language.
  let phrases: [[String]]

  /// Lines with an empty column or the wrong number of them. The book does without them.
  let malformedLines: [String]

  /// For each language, the keys under which a phrase is found, with the phrase's index.
  private let index: [[String: Int]]

  /// Reads tables of one phrase a line, columns separated by ` | ` in the order of `languages`.
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

  /// The translation of a phrase, or of a text made of nothing but phrases; else nil.
  ///
  /// The text as printed comes first. Then letter case, the shape of apostrophes, a left-out ¿ or
  /// ¡ and one final mark too few or too many are forgiven, except that a question mark never
  /// makes a question of a statement. Emoji and white space around phrases stay as they were.
  /// Where phrases share a text, the first in the book answers. Names, numbers and times that a
  /// phrase leaves open stay as they were. A language that the book doesn't know gives nil.
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

  /// The language whose column holds the text, by the rules of `translate`; nil if none does.
  ///
  /// A text as printed in one language beats one that another language would have to forgive:
  /// "Vamos!" is Portuguese. Where several languages are left, the first of `languages` wins.
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

  /// The two ways to read a text: as one phrase, and sentence by sentence.
  private func readings(of text: String) -> [[Sentence]] {
    [[Sentence(text)], Sentence.sentences(of: text)]
  }

  /// A phrase, and what a sentence has in place of its masks.
  private struct Match {
    var phrase: Int
    var values: [PhraseMask: String] = [:]
  }

  /// For each sentence its phrase, nil for one without words; nil unless all could be found.
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
          // A mark that a person typed is no mask.
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
