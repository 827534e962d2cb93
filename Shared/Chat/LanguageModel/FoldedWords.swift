/// The words of a text in lower case without accents, as keys for lookup and search.
///
/// Accents are removed because people leave them out. Numbers are words, too.
package enum FoldedWords {
  /// The length to which words are cut. Hashing a long row of combining marks takes long.
  private static let maximumLength = 32

  package static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    for scalar in text.lowercased().unicodeScalars {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        // A combining accent belongs to the preceding letter, and is removed like other accents.
        if scalar.properties.canonicalCombiningClass == .notReordered { end() }
        continue
      }
      guard word.count < maximumLength else { continue }
      if let letters = folded[scalar] {
        word.append(contentsOf: letters.unicodeScalars)
      } else {
        word.append(scalar)
      }
    }
    end()
    return words
  }

  private static let folded: [Unicode.Scalar: String] = {
    var folded: [Unicode.Scalar: String] = ["ß": "ss", "œ": "oe", "æ": "ae"]
    for (letter, accented) in [
      ("a", "áàâäãå"), ("c", "ç"), ("e", "éèêë"), ("i", "íìîï"), ("n", "ñ"), ("o", "óòôöõø"),
      ("u", "úùûü"), ("y", "ýÿ"),
    ] {
      for scalar in accented.unicodeScalars { folded[scalar] = letter }
    }
    return folded
  }()
}
