/// The parsed output of Apertium's programs: words, punctuation, and numbered blanks such as `[0]`,
/// which replace text that `ApertiumText` doesn't send.
struct ApertiumAnswer {
  struct Word {
    var text: String
    /// A Boolean value that indicates whether Apertium marked the word: `*` for not in the
    /// dictionary, `@` for no translation, `#` for no inflected form.
    var isUnknown: Bool
    /// A Boolean value that indicates whether the word is unknown and looks like a name: it begins
    /// with a capital letter inside a sentence.
    var isName: Bool
  }

  enum Part {
    case word(Word)
    case mark(Character)
    case blank(Int)
  }

  private(set) var parts: [Part] = []

  var words: [Word] {
    parts.compactMap { if case .word(let word) = $0 { word } else { nil } }
  }

  var blanks: [Int] {
    parts.compactMap { if case .blank(let number) = $0 { number } else { nil } }
  }

  /// Parses the output, or returns `nil` if its format is wrong.
  init?(_ answer: String) {
    var rest = answer[...]
    var beginsSentence = true
    var isUnknown = false
    while let first = rest.first {
      if first.isOfWord {
        let text = rest.prefix(while: \.isOfWord)
        let isName = isUnknown && !beginsSentence && first.isUppercase
        parts.append(.word(Word(text: String(text), isUnknown: isUnknown, isName: isName)))
        (isUnknown, beginsSentence) = (false, false)
        rest = rest[text.endIndex...]
        continue
      }
      rest.removeFirst()
      switch first {
      case "*", "@", "#": isUnknown = true
      case "[":
        let digits = rest.prefix(while: \.isWholeNumber)
        guard let number = Int(digits), rest[digits.endIndex...].first == "]" else { return nil }
        parts.append(.blank(number))
        rest = rest[digits.endIndex...].dropFirst()
      // These characters occur only in the stream between the programs.
      case "]", "{", "}", "^", "$", "/", "\\", "<", ">", "\0": return nil
      // If Apertium omits a word, such as a pronoun, the word's space remains.
      case " " where isBehindSpace: break
      default:
        parts.append(.mark(first))
        isUnknown = false
        if ".!?".contains(first) { beginsSentence = true }
      }
    }
  }
}

extension ApertiumAnswer {
  private var isBehindSpace: Bool {
    if case .mark(" ")? = parts.last { true } else { parts.isEmpty }
  }
}

extension Character {
  fileprivate var isOfWord: Bool { isLetter || isWholeNumber }
}
