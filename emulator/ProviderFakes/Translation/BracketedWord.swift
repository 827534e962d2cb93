/// A word in square brackets, such as `[X0X]`: what clients of translators put in the place of
/// something that must come back as it is.
enum BracketedWord {
  /// Where one ends that begins at an index: ASCII letters and digits, at most sixteen, between
  /// brackets.
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
