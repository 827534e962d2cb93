/// An index that finds phrases in a text by their words.
///
/// Letter case, accents and the shape of apostrophes don't matter. A `#` in a phrase matches a word
/// that begins with a digit.
struct PhraseIndex<Meaning: Sendable>: Sendable {
  struct Phrase: Sendable {
    let words: [String]
    let meaning: Meaning
  }

  /// The phrases by their first word; the longest first, then in the order of insertion.
  private var phrases: [String: [Phrase]] = [:]

  /// Adds a phrase. A phrase without words is ignored because it would match everywhere.
  mutating func insert(_ phrase: some StringProtocol, meaning: Meaning) {
    let words = phrase.split(separator: " ").flatMap { $0 == "#" ? ["#"] : Words.folded($0) }
    guard let first = words.first, first != "#" else { return }
    var row = phrases[first] ?? []
    let place = row.firstIndex { $0.words.count < words.count } ?? row.endIndex
    row.insert(Phrase(words: words, meaning: meaning), at: place)
    phrases[first] = row
  }

  /// Returns the phrases that begin at a word of the text, longest first.
  func matches(in text: Words, at start: Int) -> [(words: Range<Int>, meaning: Meaning)] {
    (phrases[text.words[start].folded] ?? []).compactMap { phrase in
      let end = start + phrase.words.count
      guard end <= text.words.count else { return nil }
      let rest = zip(phrase.words, text.words[start..<end]).dropFirst()
      let isThere = rest.allSatisfy { $1.isJoined && Self.fits($1.folded, $0) }
      return isThere ? (start..<end, phrase.meaning) : nil
    }
  }

  /// Returns all phrases in a text from start to end, the longest first at each position.
  func matches(in text: Words) -> some Sequence<(words: Range<Int>, meaning: Meaning)> {
    text.words.indices.lazy.flatMap { matches(in: text, at: $0) }
  }

  /// Returns a Boolean value that indicates whether the text contains any of the phrases.
  func isFound(in text: Words) -> Bool {
    matches(in: text).contains { _ in true }
  }

  private static func fits(_ word: String, _ pattern: String) -> Bool {
    pattern == "#" ? word.utf8.first.map { (0x30...0x39).contains($0) } ?? false : word == pattern
  }
}
