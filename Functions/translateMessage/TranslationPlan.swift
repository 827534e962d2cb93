import Chat
import RPCStatus

/// Which translations a message still lacks: a decision over what was read, without effects.
struct TranslationPlan: Equatable {
  /// What to do about a message.
  enum Decision: Equatable {
    case skip(reason: String)
    case translate(TranslationPlan)
  }

  var source: Language
  /// Languages to translate into, in alphabetical order.
  var missing: [Language] = []
  /// Languages whose translation is there and matches the text.
  var present: [Language] = []
  var skippedReaders: [Readers.Skipped] = []

  private init(source: Language) { self.source = source }

  /// - Parameter profiles: of all participants, the sender among them.
  static func decide(
    message: Message,
    conversation: Conversation,
    profiles: [String: UserProfile]
  ) -> Decision {
    let sender = message.senderID.flatMap { profiles[$0] }
    let source: Language
    switch self.source(
      of: message,
      sender: sender,
      isAllowed: conversation.allowsTranslation
    )
    {
    case .failure(let refusal): return .skip(reason: refusal.reason)
    case .success(let language): source = language
    }

    var plan = TranslationPlan(source: source)
    let readers = Readers(of: message, in: conversation, profiles: profiles)
    plan.skippedReaders = readers.skipped
    let targets = readers.languages.filter { !$0.isReadable(as: source) }
    for target in targets.sorted(by: { $0.code < $1.code }) {
      if message.translation(into: target) == nil {
        plan.missing.append(target)
      } else {
        plan.present.append(target)
      }
    }
    return .translate(plan)
  }

  /// What is to be asked for, in the order of `missing`.
  func requests(for message: Message) -> [Translator.Request] {
    missing.map { Translator.Request(message.text, from: source, to: $0) }
  }

  /// Why a message is left alone, whoever reads it.
  struct Refusal: Error, Equatable {
    var reason: String

    static let conversation = Refusal(reason: "translation is off in this conversation")
    static let sender = Refusal(reason: "the sender has opted out of translation")
    /// The text is its own translation.
    static let noWords = Refusal(reason: "the text has nothing to translate")
  }

  /// The language a message is in, or why it isn't translated.
  static func source(
    of message: Message,
    sender: UserProfile?,
    isAllowed: Bool
  ) -> Result<Language, Refusal> {
    if let refusal = refusal(of: message.text) { return .failure(refusal) }
    guard isAllowed else {
      return .failure(.conversation)
    }
    guard sender?.hasOptedOut != true else {
      return .failure(.sender)
    }
    do throws(StatusError) {
      guard let source = try message.language(sender: sender) else {
        return .failure(Refusal(reason: "the message's language is unknown"))
      }
      return .success(source)
    } catch {
      return .failure(Refusal(reason: "the message's language is not a known language code"))
    }
  }

  /// Why a text isn't translated, nil if it is.
  static func refusal(of text: String) -> Refusal? {
    guard Message.hasText(text) else { return Refusal(reason: "the message has no text") }
    guard text.unicodeScalars.count <= Translator.maximumCharacters else {
      return Refusal(reason: "the text is longer than \(Translator.maximumCharacters) characters")
    }
    guard Translator.hasWords(text) else { return .noWords }
    return nil
  }
}
