/// A word in square brackets, such as `[X0X]`: the placeholder by which clients of translators
/// protect text that must stay unchanged.
enum BracketedWord {
  /// Returns the end of the bracketed word that begins at an index, or `nil` if none does. The word
  /// has at most sixteen ASCII letters and digits.
  static func end<Text: Collection<Character>>(in text: Text, at start: Text.Index) -> Text.Index? {
    guard start < text.endIndex, text[start] == "[" else { return nil }
    let word = text[text.index(after: start)...].prefix(16).prefix {
      $0.isASCII && ($0.isLetter || $0.isNumber)
    }
    guard !word.isEmpty, word.endIndex < text.endIndex, text[word.endIndex] == "]" else {
      return nil
    }
    return text.index(after: word.endIndex)
  }

  static func first(in text: Substring) -> Range<String.Index>? {
    text.indices.lazy.compactMap { start in end(in: text, at: start).map { start..<$0 } }.first
  }
}
