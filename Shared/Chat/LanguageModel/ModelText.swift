import LanguageDetection
package import Providers

/// The checks that a model's text must pass to be shown.
package struct ModelText: Sendable {
  /// The runs of words in the instructions.
  private let instructions: Set<[String]>
  /// The runs of words in the users' texts.
  private let quotations: Set<[String]>
  /// The findings that the text may repeat.
  private let said: SaidText
  private let linkProblem: String
  /// The words in users' texts that look like a prompt's names for people and messages, such as
  /// `P1`.
  private let names: Set<String>
  private let quotesInput: Bool
  private let namesPeople: Bool

  /// Creates the checks for a prompt's answer.
  ///
  /// - Parameters:
  ///   - texts: the users' texts in the prompt's input, and nothing that a model wrote.
  ///   - quotesInput: whether the text may quote users' texts, including their links, addresses and
  ///     numbers. Pass `false` if readers can't see that a part is a quotation: a stranger's link
  ///     would seem to be the app's.
  ///   - namesPeople: whether the text may contain aliases such as `P1`, because the caller
  ///     replaces them with names.
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

  /// The kinds of findings that can't be opened, written to or called.
  private static let harmless: Set<PlainText.Kind> = [.symbol, .style, .tag]
  /// The kinds of findings that a text may repeat. Markup isn't among them, since a page renders
  /// it.
  static let repeatable = Set(PlainText.Kind.allCases).subtracting([.markup])

  /// The number of consecutive words of the instructions that count as a repetition.
  private static let instructionLength = 8
  /// The number of consecutive words of the input that count as a quotation.
  private static let quotationLength = 3

  /// Returns a model's text with normalized white space.
  ///
  /// Line ends become line feeds, and tabs become spaces. White space at the end of a line and at
  /// either end of the text is removed.
  package static func settled(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    // Spaces are kept only if text follows in their line, line feeds only if any text follows.
    var spaces = String.UnicodeScalarView()
    var lines = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n":
        lines += 1
        spaces.removeAll()
      case "\t": spaces.append(" ")
      // A carriage return is part of a line end. A single one is kept here and rejected later.
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

  /// Returns the problem with a text, or `nil` if there is none. The problem doesn't quote the
  /// text.
  ///
  /// A text may quote the input in any language if the text also has words of its own.
  ///
  /// - Parameters:
  ///   - name: the text's name in the problem.
  ///   - maximum: the maximum length of the text, in Unicode scalars.
  ///   - allowsLines: whether the text may have several lines, and tabs.
  ///   - minimumWords: the minimum number of words outside quotations for a check of the words'
  ///     language. With fewer words, only the script is checked.
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
      return "\(name) has the prompt's names for people or messages, such as P1"
    }
    let foreign = Set(PlainText.findings(in: text).filter { !said.contains($0) }.map(\.kind))
    guard foreign.isDisjoint(with: [.markup, .style]) else { return "\(name) has markup" }
    guard foreign.isSubset(of: [.symbol]) else { return "\(name) \(linkProblem)" }
    guard foreign.isEmpty else { return "\(name) has characters that don't belong in plain text" }
    let words = WordRuns(text)
    guard instructions.isDisjoint(with: words.runs(of: Self.instructionLength)) else {
      return "\(name) repeats the instructions"
    }
    // If almost all words are quotations, the language of the whole text is checked.
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

  /// Returns the text in one line.
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
