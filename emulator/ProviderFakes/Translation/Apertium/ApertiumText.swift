/// The encoding of a text for Apertium's programs, and the decoding of the translation.
///
/// Words and common punctuation are sent unchanged. Any other text becomes a numbered blank, `[0]`,
/// so that it can't be mistaken for the programs' own markup. A bracketed word, which must stay
/// unchanged, becomes a word that is in no dictionary.
struct ApertiumText {
  /// The text that is sent.
  private(set) var stream = ""
  private let before: String
  private let after: String
  private var blanks: [String] = []
  private var bracketedWords: [String] = []

  /// The maximum percentage of unknown words, without names.
  private static let mostUnknownPercent = 30

  /// Encodes a text.
  ///
  /// - Parameter isSpanish: a Boolean value that indicates whether the text is Spanish. Its `¿` and
  ///   `¡` are dropped, as Apertium would keep them in any language.
  init(_ text: String, isSpanish: Bool) {
    let isSpace = { (character: Character) in character.isWhitespace }
    let core = text.drop(while: isSpace)
    let characters = Array(core.reversed().drop(while: isSpace).reversed())
    before = String(text.prefix(while: isSpace))
    after = String(core.dropFirst(characters.count))
    var blank = ""
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if let end = BracketedWord.end(in: characters, at: index) {
        endBlank(&blank)
        stream += Self.token(bracketedWords.count)
        bracketedWords.append(String(characters[index..<end]))
        index = end
        continue
      }
      index += 1
      if isSpanish, "¿¡".contains(character) { continue }
      let isPlain =
        character == " "
        ? !characters[index - 2].isWhitespace && !characters[index].isWhitespace
        : Self.isPlain(character)
      if isPlain {
        endBlank(&blank)
        // Dictionaries contain the straight apostrophe.
        stream.append(character == "’" ? "'" : character)
      } else {
        blank.append(character)
      }
    }
    endBlank(&blank)
  }

  private mutating func endBlank(_ blank: inout String) {
    guard !blank.isEmpty else { return }
    stream += "[\(blanks.count)]"
    blanks.append(blank)
    blank = ""
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isLetter || character.isWholeNumber || ".,;:!?¿¡'’()-".contains(character)
  }

  private static func token(_ number: Int) -> String { "X\(number)X" }

  /// Decodes the programs' output.
  ///
  /// - Returns: the translation, or `nil` if too few words were known or a blank or bracketed word
  ///   is missing.
  func translation(from answer: String) -> String? {
    guard let words = ApertiumAnswer(answer) else { return nil }
    let tokens = bracketedWords.indices.map(Self.token)
    guard words.blanks.sorted() == Array(blanks.indices),
      tokens.allSatisfy({ token in words.words.count { $0.text == token } == 1 })
    else { return nil }
    let counted = words.words.filter { !tokens.contains($0.text) && !$0.isName }
    let unknown = counted.count { $0.isUnknown }
    guard unknown < counted.count, 100 * unknown <= Self.mostUnknownPercent * counted.count else {
      return nil
    }
    let text = words.parts.map { part in
      switch part {
      case .blank(let number): blanks[number]
      case .word(let word):
        tokens.firstIndex(of: word.text).map { bracketedWords[$0] } ?? word.text
      case .mark(let mark): String(mark)
      }
    }
    .joined()
    return before + text + after
  }
}
