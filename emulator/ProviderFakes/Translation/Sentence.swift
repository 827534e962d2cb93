/// A sentence of a message: its words, and the white space and emoji around them.
///
/// Parsing works on Unicode scalars, because a single character can be arbitrarily long.
struct Sentence: Hashable, Sendable {
  /// The white space and emoji before the words.
  let before: String
  /// The words with their punctuation; empty for a text of white space and emoji only.
  let core: String
  /// The white space and emoji after the words.
  let after: String

  /// Creates a sentence from the whole text. The concatenated parts equal the text.
  init(_ text: String) {
    self.init(text.unicodeScalars[...])
  }

  private init(_ text: Substring.UnicodeScalarView) {
    let start = text.firstIndex { !isDecoration($0) } ?? text.endIndex
    let end = text[start...].lastIndex { !isDecoration($0) }.map(text.index(after:)) ?? start
    before = String(text[..<start])
    core = String(text[start..<end])
    after = String(text[end...])
  }

  /// Returns the text split at line breaks and at white space after a final mark.
  ///
  /// The white space belongs to the following sentence, so that the concatenated parts equal the
  /// text.
  static func sentences(of text: String) -> [Sentence] {
    let scalars = text.unicodeScalars
    var sentences: [Sentence] = []
    var start = scalars.startIndex
    var hasEnded = false
    for (index, scalar) in zip(scalars.indices, scalars) {
      if scalar.properties.isWhitespace {
        if hasEnded || lineBreaks.contains(scalar) {
          sentences.append(Sentence(scalars[start..<index]))
          start = index
        }
        hasEnded = false
      } else if !isDecoration(scalar) {
        hasEnded = finalMarks.contains(Character(scalar))
      }
    }
    sentences.append(Sentence(scalars[start...]))
    return sentences
  }

  /// The keys under which a phrasebook may contain this sentence, best first: the original words,
  /// the folded words, then the folded words with other final marks.
  ///
  /// One final mark may be missing, doubled or different, but a question mark matches only
  /// questions. A very long sentence has no keys. Phrases are much shorter, and hashing an endless
  /// sequence of combining marks takes quadratic time.
  var keys: [String] {
    guard core.utf8.count <= 1_000 else { return [] }
    let folded = Sentence.folded(core)
    guard let mark = folded.last, finalMarks.contains(mark) else {
      return [core, folded] + finalMarks.map { folded + String($0) }
    }
    let stem = String(folded.dropLast())
    if mark == "?" { return [core, folded] + (stem.hasSuffix("?") ? [stem] : []) }
    return [core, folded, stem] + finalMarks.filter { $0 != "?" }.map { stem + String($0) }
  }

  /// Returns the text in the form in which sentences are compared: in lower case, with straight
  /// quotes, without ¿ and ¡, without a space before a mark, and with one scalar for an ellipsis.
  static func folded(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      switch scalar {
      case "¿", "¡": continue
      case "’", "‘", "ʼ", "´", "`": folded.append("'")
      case "“", "”", "„": folded.append("\"")
      case "!", "?", "…":
        while folded.last?.properties.isWhitespace == true { folded.removeLast() }
        folded.append(scalar)
      default: folded.append(scalar)
      }
    }
    let result = String(folded)
    return result.hasSuffix("...") ? result.dropLast(3) + "…" : result
  }
}

/// The marks that end a sentence. If a sentence has none, they are tried in this order.
private let finalMarks: [Character] = [".", "!", "?", "…"]

/// The scalars at which a line ends (Unicode: mandatory breaks).
private let lineBreaks: Set<Unicode.Scalar> = [
  "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}",
]

/// Returns a Boolean value that indicates whether a scalar is white space or part of an emoji.
///
/// Below U+204A, Unicode classifies digits, ©, ® and the double marks ‼ and ⁉ as emoji. In a
/// message they belong to the words.
private func isDecoration(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x200D, 0x20E3, 0xFE0F, 0xE0020...0xE007F: true
  case 0x204A...: scalar.properties.isEmoji || scalar.properties.isWhitespace
  default: scalar.properties.isWhitespace
  }
}
