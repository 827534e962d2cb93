import LanguageDetection
package import Providers

/// What a text that a model wrote must be to be shown.
package struct ModelText: Sendable {
  /// What the model was told and given.
  private let instructions: Set<[Substring]>
  /// What a text may bring up that can be opened or called.
  private let links: Set<String>
  private let linkProblem: String

  /// - Parameter quotesLinks: whether a text may repeat what can be opened or called of the input.
  ///   Where a reader sees the model's words and not whose they are, it would be a stranger's link
  ///   in our name.
  package init(_ prompt: Prompt, quotesLinks: Bool = false) {
    instructions = Set(Self.shingles(of: prompt.template.instructions))
    links = quotesLinks ? Links.found(in: prompt.inputText) : []
    linkProblem =
      "has a link, an address or a number" + (quotesLinks ? " that was not in the input" : "")
  }

  /// What is wrong with a text, in words that repeat nothing of it; nil if nothing is.
  ///
  /// - Parameters:
  ///   - name: what to call it.
  ///   - maximum: in Unicode scalars. Texts of one line end with it.
  ///   - allowsLines: whether it may have more than one.
  package func problem(
    with text: String,
    name: String,
    in language: Language,
    maximum: Int,
    allowsLines: Bool = false
  ) -> String? {
    guard Message.hasText(text) else { return "\(name) is empty" }
    guard text.unicodeScalars.count <= maximum else {
      return "\(name) is longer than \(maximum) characters"
    }
    let flat = allowsLines ? text.replacing("\n", with: " ") : text
    guard PromptText.visible(flat, maximum: maximum) == flat else {
      return "\(name) has characters that can't be seen"
    }
    guard !PromptText.hasMarkup(text) else { return "\(name) has markup" }
    guard Links.found(in: text).isSubset(of: links) else { return "\(name) \(linkProblem)" }
    guard instructions.isDisjoint(with: Self.shingles(of: text)) else {
      return "\(name) repeats the instructions"
    }
    guard !LanguageDetector.contradicts(text, language: language.code) else {
      return "\(name) is not in the language \(language.code)"
    }
    return nil
  }

  private static let shingleLength = 8

  /// Every run of eight words.
  private static func shingles(of text: String) -> [[Substring]] {
    let words = text.lowercased().split { !$0.isLetter }
    guard words.count >= shingleLength else { return [] }
    return (0...(words.count - shingleLength)).map { Array(words[$0..<($0 + shingleLength)]) }
  }
}
