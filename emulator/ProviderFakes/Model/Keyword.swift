/// A word of a question that a message on the same subject is likely to have.
struct Keyword: Hashable, Sendable {
  /// Folded; one word for a subject that the glossary knows in several languages.
  let word: String

  /// Whether a word of a message is this one, or another form of it.
  ///
  /// Forms share their beginning: `invite` and `invited`, `restaurant` and `restaurants`. Short
  /// words and endless ones must be equal.
  func fits(_ other: String) -> Bool {
    if word == other { return true }
    let shorter = min(word.utf8.count, other.utf8.count)
    let longer = max(word.utf8.count, other.utf8.count)
    guard shorter >= 4, longer <= 40, longer - shorter <= 5 else { return false }
    let shared = zip(word.utf8, other.utf8).prefix { $0 == $1 }.count
    if shared == shorter { return true }
    return shared >= 5 && shared >= shorter - 1 && longer - shared <= 3
  }
}
