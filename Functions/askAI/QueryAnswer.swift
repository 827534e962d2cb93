import Chat
import Providers

/// An answer as a model gives it.
struct QueryAnswer: Codable, Sendable, Hashable {
  /// The longest answer, in Unicode scalars.
  static let maximumLength = 2_000

  var answer: String
  var found: Bool
  /// Ids of the window, such as `m3`.
  var sources: [String]

  /// What is wrong with a model's answer, nil if nothing is.
  func problem(_ window: ConversationWindow, in language: Language, checks: ModelText) -> String? {
    guard sources.allSatisfy({ window.messageID($0) != nil }) else {
      return "sources has a message that is not in the input"
    }
    return checks.problem(
      with: ModelText.settled(answer),
      name: "answer",
      in: language,
      maximum: Self.maximumLength,
      allowsLines: true
    )
  }

  /// The messages it rests on, in the order it names them; none if it found nothing.
  func contextIDs(_ window: ConversationWindow) -> [String] {
    guard found else { return [] }
    var seen: Set<String> = []
    return sources.compactMap(window.messageID).filter { seen.insert($0).inserted }
  }
}
