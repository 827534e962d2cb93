/// A word of a question. Messages that answer the question probably contain it.
struct Keyword: Hashable, Sendable {
  /// The word in lower case and without accents, or the glossary's name of its subject, which is
  /// the same for all languages.
  let word: String

  /// Returns a Boolean value that indicates whether a message's word equals this one or is another
  /// inflection of it.
  ///
  /// Inflections share their beginning: `invite` and `invited`, `restaurant` and `restaurants`.
  /// Short and very long words must be equal.
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
