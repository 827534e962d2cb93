/// The search terms of a text: the beginnings of its words, or pairs of letters in scripts without
/// spaces.
///
/// Since only beginnings are compared, inflected forms match.
package enum SearchTerms {
  /// The length of a word's beginning, in scalars.
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
