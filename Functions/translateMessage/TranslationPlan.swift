import Chat
import RPCStatus

/// Which translations a message still lacks: a decision over what was read, without effects.
struct TranslationPlan: Equatable {
  /// A reader who gets no translation, and why.
  struct SkippedReader: Equatable, Encodable {
    var uid: String
    var reason: String
  }

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
  var skippedReaders: [SkippedReader] = []

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
    var targets: Set<Language> = []
    for uid in conversation.participants where uid != message.senderID {
      guard let code = conversation.language(of: uid, profile: profiles[uid]) else {
        plan.skippedReaders.append(.init(uid: uid, reason: "no language in the profile"))
        continue
      }
      do throws(StatusError) {
        let language = try Language(code)
        if !language.isReadable(as: source) { targets.insert(language) }
      } catch {
        plan.skippedReaders.append(.init(uid: uid, reason: error.message))
      }
    }
    for target in targets.sorted(by: { $0.code < $1.code }) {
      if message.translation(into: target) == nil {
        plan.missing.append(target)
      } else {
        plan.present.append(target)
      }
    }
    return .translate(plan)
  }

  /// Why a message is left alone, whoever reads it.
  struct Refusal: Error, Equatable {
    var reason: String

    static let conversation = Refusal(reason: "translation is off in this conversation")
    static let sender = Refusal(reason: "the sender has opted out of translation")
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
    guard let code = message.language ?? sender?.language else {
      return .failure(Refusal(reason: "the message's language is unknown"))
    }
    guard let source = try? Language(code) else {
      return .failure(Refusal(reason: "the message's language is not a known language code"))
    }
    return .success(source)
  }

  /// Why a text isn't translated, nil if it is.
  static func refusal(of text: String) -> Refusal? {
    guard Message.hasText(text) else { return Refusal(reason: "the message has no text") }
    guard text.unicodeScalars.count <= Translator.maximumCharacters else {
      return Refusal(reason: "the text is longer than \(Translator.maximumCharacters) characters")
    }
    return nil
  }
}
