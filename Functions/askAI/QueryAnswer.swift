import Chat
import Providers

/// An answer as a model returns it.
struct QueryAnswer: Codable, Sendable, Hashable {
  /// The maximum length of an answer in Unicode scalars.
  static let maximumLength = 2_000

  var answer: String
  var found: Bool
  /// The ids in the window, such as `m3`, of the messages that the answer is based on.
  var sources: [String]

  /// Returns the problem with a model's answer, or `nil` if there is none.
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

  /// Returns the ids of the messages that the answer is based on, in the answer's order.
  ///
  /// An answer that found nothing has none.
  func contextIDs(_ window: ConversationWindow) -> [String] {
    guard found else { return [] }
    var seen: Set<String> = []
    return sources.compactMap(window.messageID).filter { seen.insert($0).inserted }
  }
}
