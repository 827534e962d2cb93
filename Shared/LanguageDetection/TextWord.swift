/// A word of a text in Latin letters.
struct TextWord: Hashable {
  /// As written, but with `'` for every apostrophe.
  var text: String
  /// Whether it has a capital letter though neither the sentence nor a text in capitals asks for
  /// one.
  var isCapitalized: Bool

  /// No word of the tables comes near this length in scalars; to hash an endless row of combining
  /// marks takes quadratic time.
  private static let maximumLength = 24

  /// The words of a text. Those of addresses, links, tags and times are none.
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

  /// nil for apostrophes alone, and for what is too long for a word.
  private init?(_ scalars: ArraySlice<Unicode.Scalar>, capitalsCount: Bool) {
    let scalars = scalars.trimmingApostrophes
    guard let first = scalars.first, scalars.count <= Self.maximumLength else { return nil }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars.lazy.map { isApostrophe($0) ? "'" : $0 })
    text = String(view)
    isCapitalized = capitalsCount && first.properties.isUppercase
  }

  /// The parts of a contraction in the two ways that tables have them: `l'` and `'s` stay whole.
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
