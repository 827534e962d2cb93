import LanguageDetection
package import Providers

/// What a text that a model wrote must be to be shown.
package struct ModelText: Sendable {
  /// Runs of words of what the model was told.
  private let instructions: Set<[String]>
  /// Runs of words of what it was given.
  private let quotations: Set<[String]>
  /// The findings that it may repeat.
  private let said: SaidText
  private let linkProblem: String
  /// What is one of our names and is said by people, too.
  private let names: Set<String>
  private let quotesInput: Bool
  private let namesPeople: Bool

  /// - Parameters:
  ///   - texts: what people wrote of the prompt's input, and nothing that a model did.
  ///   - quotesInput: whether a text may be made of what people wrote, and repeat what can be opened
  ///     or called there. Where a reader sees the model's words and not whose they are, it would
  ///     be a stranger's link in our name.
  ///   - namesPeople: whether a text may speak of people as `P1`, because names will be put there.
  package init(
    _ prompt: Prompt,
    said texts: [String],
    quotesInput: Bool = false,
    namesPeople: Bool = false
  ) {
    instructions = WordRuns(prompt.template.instructions).runs(of: Self.instructionLength)
    quotations = texts.reduce(into: []) {
      $0.formUnion(WordRuns($1).runs(of: Self.quotationLength))
    }
    said = SaidText(texts, kinds: quotesInput ? Self.repeatable : Self.harmless)
    names = texts.reduce(into: []) {
      $0.formUnion(PromptNames.found(in: $1, includingPeople: true))
    }
    self.quotesInput = quotesInput
    linkProblem =
      "has a link, an address or a number" + (quotesInput ? " that was not in the input" : "")
    self.namesPeople = namesPeople
  }

  /// The kinds that nobody can open, write to or call.
  private static let harmless: Set<PlainText.Kind> = [.symbol, .style, .tag]
  /// A page renders what is markup, whoever wrote it.
  static let repeatable = Set(PlainText.Kind.allCases).subtracting([.markup])

  /// How many words in a row are a repetition of the instructions.
  private static let instructionLength = 8
  /// How many words in a row are a quotation of the input.
  private static let quotationLength = 3

  /// What a model wrote, with the white space that texts have here: line feeds for line ends,
  /// spaces for tabs, and none at the end of a line or at either end of the text.
  package static func settled(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    // Spaces count only if something follows in their line, and line feeds if anything does.
    var spaces = String.UnicodeScalarView()
    var lines = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n":
        lines += 1
        spaces.removeAll()
      case "\t": spaces.append(" ")
      // Of a line end; by itself it stays, and is refused later.
      case "\r": spaces.append(scalar)
      case _ where scalar.properties.generalCategory == .spaceSeparator: spaces.append(scalar)
      default:
        if !result.isEmpty {
          for _ in 0..<lines { result.append("\n") }
          result.append(contentsOf: spaces.filter { $0 != "\r" || lines == 0 })
        }
        result.append(scalar)
        spaces.removeAll()
        lines = 0
      }
    }
    return String(result)
  }

  /// What is wrong with a text, in words that repeat nothing of it; nil if nothing is.
  ///
  /// A quotation of the input may be in any language, if the text says something about it.
  ///
  /// - Parameters:
  ///   - name: what to call it.
  ///   - maximum: in Unicode scalars. Texts of one line end with it.
  ///   - allowsLines: whether it may have more than one, and tabs.
  ///   - minimumWords: with fewer words beside quotations only its script tells whether it is in
  ///     the language.
  package func problem(
    with text: String,
    name: String,
    in language: Language,
    maximum: Int,
    allowsLines: Bool = false,
    minimumWords: Int = 4
  ) -> String? {
    guard Message.hasText(text) else { return "\(name) is empty" }
    guard text.unicodeScalars.count <= maximum else {
      return "\(name) is longer than \(maximum) characters"
    }
    let flat = allowsLines ? Self.flat(text) : text
    guard PromptText.hidden(in: flat).isEmpty else {
      return "\(name) has characters that can't be seen"
    }
    let ours = PromptNames.found(in: text, includingPeople: !namesPeople)
    guard ours.isSubset(of: names) else {
      return "\(name) speaks of people or messages by our names for them"
    }
    let foreign = Set(PlainText.findings(in: text).filter { !said.contains($0) }.map(\.kind))
    guard foreign.isDisjoint(with: [.markup, .style]) else { return "\(name) has markup" }
    guard foreign.isSubset(of: [.symbol]) else { return "\(name) \(linkProblem)" }
    guard foreign.isEmpty else { return "\(name) has characters that are not of plain text" }
    let words = WordRuns(text)
    guard instructions.isDisjoint(with: words.runs(of: Self.instructionLength)) else {
      return "\(name) repeats the instructions"
    }
    // Where hardly a word of its own is left, the quotation is what the text says.
    let own = words.text(without: quotations, of: Self.quotationLength)
    let isQuoting = WordRuns(own).count >= (quotesInput ? 2 : 4)
    guard
      !LanguageDetector.contradicts(
        isQuoting ? own : text,
        language: language.code,
        minimumWords: minimumWords
      )
    else { return "\(name) is not in the language \(language.code)" }
    return nil
  }

  /// The text in one line.
  private static func flat(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\n", "\t": result.append(" ")
      case "\r" where rest.first == "\n": continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
