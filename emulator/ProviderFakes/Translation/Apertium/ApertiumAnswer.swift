/// What Apertium's programs print: words, with a mark in front of those that one of them didn't
/// know, and numbered blanks.
struct ApertiumAnswer {
  struct Word {
    var text: String
    /// `*` not in the dictionary, `@` without a translation, `#` without the form that is needed.
    var isUnknown: Bool
    /// Whether it is unknown and looks like a name: a capital inside a sentence.
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

  /// - Returns: nil for what isn't in the format.
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
      // Of the stream between the programs.
      case "]", "{", "}", "^", "$", "/", "\\", "<", ">", "\0": return nil
      // What is left out, such as a pronoun, leaves its space.
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
