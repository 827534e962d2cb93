import Chat
import Providers

/// Three suggested replies, as a model returns them.
struct Suggestions: Codable, Sendable, Hashable {
  struct Suggestion: Codable, Sendable, Hashable {
    var text: String
    var translation: String
  }

  /// The maximum length of a reply in Unicode scalars.
  static let maximumLength = 120

  var suggestions: [Suggestion]

  /// The suggestions without the whitespace that models leave at line ends.
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

  /// The number of words from which a reply must differ from the other members' messages.
  ///
  /// Shorter replies, such as "see you tomorrow", may be the same.
  private static let repetitionLength = 5

  /// Returns the problem with a model's answer, or `nil` if there is none.
  ///
  /// - Parameter others: the other members' texts. A suggestion must not repeat one of them, since
  ///   one tap would send it as the replier's own text.
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
      // The language is recognized more reliably in three replies together than in one short reply.
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

  /// Returns the part of a reply that is compared with other replies: its letters and digits, and a
  /// question mark if it has one.
  ///
  /// A reply without letters and digits is compared as a whole.
  ///
  /// - Parameter text: a text no longer than a reply, because comparing long strings by canonical
  ///   equivalence is slow.
  private static func gist(of text: String) -> String {
    let letters = text.lowercased().unicodeScalars.filter(\.isOfWord)
    let asks = text.unicodeScalars.contains("?") ? "?" : ""
    return letters.isEmpty ? text : String(String.UnicodeScalarView(letters)) + asks
  }
}
