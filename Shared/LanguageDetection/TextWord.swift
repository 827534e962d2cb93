/// A word of a text in Latin letters.
struct TextWord: Hashable {
  /// The word as written, but with `'` for every apostrophe.
  var text: String
  /// A Boolean value that indicates whether the word begins with a capital letter that isn't due to
  /// the beginning of a sentence or to a text in capitals.
  var isCapitalized: Bool

  /// The maximum length of a word, in scalars. No word in the tables comes near it; hashing a long
  /// row of combining marks takes quadratic time.
  private static let maximumLength = 24

  /// Returns the words of a text, without the parts of addresses, links, tags and times.
  static func words(in text: [Unicode.Scalar]) -> [TextWord] {
    let isShouting = !text.contains(where: \.properties.isLowercase)
    var words: [TextWord] = []
    for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
      var startsSentence = true
      for chunk in line.split(whereSeparator: \.properties.isWhitespace) {
        if !isAddress(chunk) {
          for scalars in chunk.split(whereSeparator: { !isPartOfWord($0) }) {
            guard
              let word = TextWord(scalars, capitalsCount: !startsSentence && !isShouting)
            else { continue }
            words.append(word)
            startsSentence = false
          }
        }
        if let last = chunk.last, endsSentence(last) { startsSentence = true }
      }
    }
    return words
  }

  private init(text: String, isCapitalized: Bool) {
    self.text = text
    self.isCapitalized = isCapitalized
  }

  /// Creates a word, or `nil` for apostrophes alone or a text that is too long for a word.
  private init?(_ scalars: ArraySlice<Unicode.Scalar>, capitalsCount: Bool) {
    let scalars = scalars.trimmingApostrophes
    guard let first = scalars.first, scalars.count <= Self.maximumLength else { return nil }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars.lazy.map { isApostrophe($0) ? "'" : $0 })
    text = String(view)
    isCapitalized = capitalsCount && first.properties.isUppercase
  }

  /// The parts of a contraction: the first half with and without its apostrophe, and the second
  /// half.
  ///
  /// The tables of `CommonWords` have both forms of the first half. `l'` and `'s` have no parts.
  var parts: [TextWord] {
    let halves = text.split(separator: "'", maxSplits: 1).map(String.init)
    guard halves.count == 2 else { return [] }
    return [
      TextWord(text: halves[0] + "'", isCapitalized: isCapitalized),
      TextWord(text: halves[0], isCapitalized: isCapitalized),
      TextWord(text: halves[1], isCapitalized: halves[1].first?.isUppercase == true),
    ]
  }

  private static func endsSentence(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "!", "?", "…", ":": true
    default: scalar.properties.isEmojiPresentation
    }
  }

  private static func isAddress(_ chunk: ArraySlice<Unicode.Scalar>) -> Bool {
    var previous: Unicode.Scalar = " "
    var isAfterDot = false
    for scalar in chunk {
      switch scalar {
      case "/", "@", "_", "#", "\\", "0"..."9": return true
      case ".": isAfterDot = previous.properties.isAlphabetic
      default:
        if isAfterDot, scalar.properties.isLowercase { return true }
        isAfterDot = false
      }
      previous = scalar
    }
    return false
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || isApostrophe(scalar)
      || scalar.properties.generalCategory == .nonspacingMark
  }
}

private func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "'" || scalar == "’" || scalar == "ʼ"
}

extension ArraySlice<Unicode.Scalar> {
  fileprivate var trimmingApostrophes: Self {
    var scalars = drop(while: isApostrophe)
    while let last = scalars.last, isApostrophe(last) { scalars.removeLast() }
    return scalars
  }
}
