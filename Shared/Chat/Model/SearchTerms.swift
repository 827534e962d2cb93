/// What a text is searched by: the beginnings of its words, so that inflected forms meet; pairs of
/// letters where no space parts words.
package enum SearchTerms {
  /// So long are the beginnings, in scalars.
  private static let length = 5

  package static func terms(of text: String) -> [String] {
    FoldedWords.words(of: text).flatMap { word -> [String] in
      let scalars = Array(word.unicodeScalars)
      guard scalars.contains(where: \.isOfUnspacedScript) else {
        return [String(String.UnicodeScalarView(scalars.prefix(length)))]
      }
      guard scalars.count > 1 else { return [word] }
      return zip(scalars, scalars.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
    }
  }
}
