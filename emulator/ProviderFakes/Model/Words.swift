/// The words of a text, folded for comparison, with their places in it.
///
/// Takes linear time and works on Unicode scalars: a message may hold anything, and a character
/// can be endless. Apostrophes and hyphens part words: `don't` is two.
struct Words: Sendable {
  struct Word: Sendable {
    /// In lower case, without accents and other marks.
    let folded: String
    /// Where it stands in the text.
    let range: Range<String.Index>
    /// Whether nothing but a little white space, a hyphen, an apostrophe or a comma parts it from
    /// the word before, so that both may belong to one phrase.
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

  /// The words of a short text of our own, folded.
  static func folded(_ text: some StringProtocol) -> [String] {
    Words(String(text)).words.map(\.folded)
  }

  /// The piece of the text from the first to the last of some words, as it was written.
  func piece(_ words: Range<Int>) -> Substring {
    guard let first = self.words[words].first, let last = self.words[words].last else { return "" }
    return text[first.range.lowerBound..<last.range.upperBound]
  }
}

/// Letters, digits and the marks on them.
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

/// What may stand between two words of one phrase.
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

/// Whether a scalar only adds to the one before. Signs that are vowels stay.
private func isMark(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: true
  default: scalar.properties.canonicalCombiningClass != .notReordered
  }
}

/// The letters with accents and ligatures of the languages that the rules speak, without them.
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
