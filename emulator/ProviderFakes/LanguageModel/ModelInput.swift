import Core

/// The parts of a function's input to a language model that the rules use.
///
/// All of it is untrusted text: the rules treat it as data and never as instructions.
struct ModelInput: Sendable {
  /// A message of the conversation.
  struct Message: Sendable {
    let id: String?
    /// The sender, such as `P1`.
    let sender: String?
    /// The language code that the client reports, or `nil`.
    let language: String?
    let text: String
  }

  /// The message to explain: the input itself if it is a text, or its field `message`.
  let message: Message?
  /// The messages of the conversation, oldest first.
  let messages: [Message]
  let question: String?
  /// The people that names in the question refer to, such as `P2` for `sarah`.
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

  /// Returns the language that a field requests, or English if the field is missing.
  ///
  /// - Returns: the language, or `nil` if the rules don't support it.
  func language(_ name: LanguageMember) -> SpokenLanguage? {
    guard let code = members[name.rawValue]?.string else { return .english }
    return SpokenLanguage(code: code)
  }

  /// The fields that request the language of an answer.
  enum LanguageMember: String, CaseIterable {
    case readerLanguage, replyLanguage, translationLanguage, answerLanguage
  }
}

extension ModelInput.Message {
  /// Creates a message, or returns `nil` if the value isn't an object with a text.
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
