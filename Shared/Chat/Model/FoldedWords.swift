/// The words of a text by which it is looked up or searched for: in small letters without accents, since people leave
/// those out; digits are words, too.
package enum FoldedWords {
  /// No word comes near this length; to hash an endless row of marks takes long.
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
        // A combining accent belongs to the letter before it, and goes as other accents do.
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
