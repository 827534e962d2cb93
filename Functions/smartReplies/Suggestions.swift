import Chat
import Providers

/// Three replies as a model gives them.
struct Suggestions: Codable, Sendable, Hashable {
  struct Suggestion: Codable, Sendable, Hashable {
    var text: String
    var translation: String
  }

  /// The longest reply, in Unicode scalars.
  static let maximumLength = 120

  var suggestions: [Suggestion]

  /// The same without what models leave at the ends of lines.
  var settled: Suggestions {
    Suggestions(
      suggestions: suggestions.map {
        Suggestion(
          text: ModelText.settled($0.text),
          translation: ModelText.settled($0.translation)
        )
      }
    )
  }

  /// From so many words on a reply that is somebody else's message is no coincidence.
  private static let repetitionLength = 5

  /// What is wrong with a model's answer, nil if nothing is.
  ///
  /// - Parameter others: what other people wrote: one tap must not send it as the replier's own.
  func problem(_ plan: ReplyPlan, checks: ModelText, others: [String] = []) -> String? {
    guard suggestions.count == 3 else { return "there are not exactly three suggestions" }
    for (name, language, texts) in [
      ("text", plan.language, suggestions.map(\.text)),
      ("translation", plan.otherLanguage, suggestions.map(\.translation)),
    ] {
      for text in texts {
        if let problem = checks.problem(
          with: text,
          name: name,
          in: language,
          maximum: Self.maximumLength
        ) {
          return problem
        }
      }
      // One short reply tells little of its language; three tell more.
      if let problem = checks.problem(
        with: texts.joined(separator: ". "),
        name: "\(name) of the three together",
        in: language,
        maximum: 3 * Self.maximumLength + 4,
        minimumWords: 0
      ) {
        return problem
      }
    }
    let distinct = Set(suggestions.map { Self.gist(of: $0.text) })
    guard distinct.count == 3 else { return "two suggestions say the same" }
    let said = Set(others.map(Self.words)).filter { $0.count >= Self.repetitionLength }
    let own = suggestions.flatMap { [Self.words(of: $0.text), Self.words(of: $0.translation)] }
    return own.contains(where: said.contains) ? "a suggestion repeats another's message" : nil
  }

  private static func words(of text: String) -> [String] { FoldedWords.words(of: text) }

  /// What a reply says: its letters and digits, and whether it asks; all of it if it has none.
  ///
  /// - Parameter text: no longer than a reply, so that texts may be compared as they look.
  private static func gist(of text: String) -> String {
    let letters = text.lowercased().unicodeScalars.filter(\.isOfWord)
    let asks = text.unicodeScalars.contains("?") ? "?" : ""
    return letters.isEmpty ? text : String(String.UnicodeScalarView(letters)) + asks
  }
}
