/// The words of a text with their ranges. For comparison the words are folded: in lower case and
/// without accents.
///
/// Parsing takes linear time and works on Unicode scalars, because a single character can be
/// arbitrarily long. Apostrophes and hyphens separate words: `don't` is two words.
struct Words: Sendable {
  struct Word: Sendable {
    /// The word in lower case, without accents and other marks.
    let folded: String
    /// The word's range in the text.
    let range: Range<String.Index>
    /// A Boolean value that indicates whether only a short gap of white space, hyphens, apostrophes
    /// or commas separates the word from the previous one. Both words may then belong to one
    /// phrase.
    let isJoined: Bool
  }

  let text: String
  let words: [Word]

  init(_ text: String) {
    let scalars = text.unicodeScalars
    var words: [Word] = []
    var folded = String.UnicodeScalarView()
    var start: String.Index?
    var gap = 0
    var isJoined = false

    func end(at index: String.Index) {
      if let first = start, !folded.isEmpty {
        let isJoined = isJoined && (1...3).contains(gap) && !words.isEmpty
        words.append(Word(folded: String(folded), range: first..<index, isJoined: isJoined))
      }
      start = nil
      gap = 0
      isJoined = !folded.isEmpty
      folded.removeAll(keepingCapacity: true)
    }

    for (index, scalar) in zip(scalars.indices, scalars) {
      if isPartOfWord(scalar) {
        start = start ?? index
        fold(scalar, into: &folded)
      } else {
        if start != nil { end(at: index) }
        gap += 1
        isJoined = isJoined && isJoint(scalar)
      }
    }
    if start != nil { end(at: scalars.endIndex) }
    self.text = text
    self.words = words
  }

  /// Returns the folded words of a short text.
  static func folded(_ text: some StringProtocol) -> [String] {
    Words(String(text)).words.map(\.folded)
  }

  /// Returns the piece of the original text from the first to the last of the words.
  func piece(_ words: Range<Int>) -> Substring {
    guard let first = self.words[words].first, let last = self.words[words].last else { return "" }
    return text[first.range.lowerBound..<last.range.upperBound]
  }
}

/// Returns a Boolean value that indicates whether a scalar is a letter, a digit, or a mark on a
/// letter or digit, such as an accent.
private func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  case 0..<0x80, 0x02BC: false
  default:
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }
}

/// Returns a Boolean value that indicates whether a scalar may separate two words of a phrase.
private func isJoint(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "-", "‐", "‑", "'", "’", "‘", "ʼ", "´", "`", ",": true
  default: scalar.properties.isWhitespace
  }
}

private func fold(_ scalar: Unicode.Scalar, into folded: inout String.UnicodeScalarView) {
  if scalar.isASCII {
    let isUppercase = (0x41...0x5A).contains(scalar.value)
    folded.append(isUppercase ? Unicode.Scalar(UInt8(scalar.value + 0x20)) : scalar)
    return
  }
  for lower in scalar.properties.lowercaseMapping.unicodeScalars {
    if let letters = bareLetters[lower] {
      folded.append(contentsOf: letters.unicodeScalars)
    } else if !isMark(lower) {
      folded.append(lower)
    }
  }
}

/// Returns a Boolean value that indicates whether a scalar is an accent or another mark on the
/// previous one. Spacing vowel signs, as in Hindi, aren't such marks.
private func isMark(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: true
  default: scalar.properties.canonicalCombiningClass != .notReordered
  }
}

/// The unaccented letters for accented letters and ligatures of the supported languages.
private let bareLetters: [Unicode.Scalar: String] = {
  let families = [
    "a": "àáâãäåª", "c": "ç", "e": "èéêë", "i": "ìíîï", "n": "ñ", "o": "òóôõöº", "u": "ùúûü",
    "y": "ýÿ", "ae": "æ", "oe": "œ", "ss": "ß",
  ]
  return Dictionary(
    families.flatMap { bare, letters in letters.unicodeScalars.map { ($0, bare) } },
    uniquingKeysWith: { first, _ in first }
  )
}()
