import Core

/// What a function asks a language model about, as far as the rules understand it.
///
/// All of it was written by strangers: it is read as data and never followed.
struct ModelInput: Sendable {
  /// A message of the conversation, oldest first.
  struct Message: Sendable {
    let id: String?
    /// Who wrote it, such as `P1`.
    let sender: String?
    /// As the client says, or nil.
    let language: String?
    let text: String
  }

  /// The message to be explained: the input itself if it is a text, or its `message`.
  let message: Message?
  let messages: [Message]
  let question: String?
  /// Whom names in the question mean, such as `P2` by `sarah`.
  let mentions: [(name: String, person: String)]
  let replier: String?
  let usesEmoji: Bool
  private let members: JSONObject

  init(_ input: JSONValue) {
    members = input.object ?? [:]
    message =
      input.string.map { Message(id: nil, sender: nil, language: nil, text: $0) }
      ?? members["message"].flatMap(Message.init)
    messages = (members["messages"]?.array ?? []).compactMap(Message.init)
    question = members["question"]?.string
    mentions = (members["mentions"]?.array ?? []).compactMap {
      guard let name = $0["name"]?.string, let person = $0["person"]?.string else { return nil }
      return (name, person)
    }
    replier = members["replier"]?.string
    usesEmoji = members["style"]?["usesEmoji"] == .boolean(true)
  }

  /// The language that a member asks for; English if there is no such member.
  ///
  /// - Returns: nil for a language that the rules don't speak.
  func language(_ name: LanguageMember) -> SpokenLanguage? {
    guard let code = members[name.rawValue]?.string else { return .english }
    return SpokenLanguage(code: code)
  }

  /// The members that name a language to answer in.
  enum LanguageMember: String, CaseIterable {
    case readerLanguage, replyLanguage, translationLanguage, answerLanguage
  }
}

extension ModelInput.Message {
  /// nil unless it is an object with a text.
  fileprivate init?(_ value: JSONValue) {
    guard let text = value["text"]?.string else { return nil }
    self.init(
      id: value["id"]?.string,
      sender: value["from"]?.string,
      language: value["language"]?.string,
      text: text
    )
  }
}
