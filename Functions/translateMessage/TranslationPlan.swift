import Chat
import Core

/// A language to translate into, under the code that its readers' clients look for.
struct TranslationTarget: Hashable {
  /// As profiles have it, such as `zh_CN`.
  var code: String
  var language: Language
}

/// Which translations a message still lacks: a decision over what was read, without effects.
struct TranslationPlan: Equatable {
  /// What to do about a message.
  enum Decision: Equatable {
    case skip(reason: String)
    case translate(TranslationPlan)
  }

  var source: Source
  /// In alphabetical order.
  var missing: [TranslationTarget] = []
  /// Whose translation is there and matches the text.
  var present: [TranslationTarget] = []
  var skippedReaders: [Readers.Skipped] = []

  private init(source: Source) { self.source = source }

  /// The language a message is in, and who says so.
  struct Source: Equatable {
    var language: Language
    var teller: Message.LanguageSource
  }

  /// - Parameters:
  ///   - profiles: of all participants, the sender among them.
  ///   - mayBeOffline: whether what the emulator's engines said counts as a translation.
  static func decide(
    message: Message,
    conversation: Conversation,
    profiles: [String: UserProfile],
    mayBeOffline: Bool
  ) -> Decision {
    let sender = message.senderID.flatMap { profiles[$0] }
    let source: Source
    switch self.source(
      of: message,
      sender: sender,
      isAllowed: conversation.allowsTranslation
    )
    {
    case .failure(let refusal): return .skip(reason: refusal.reason)
    case .success(let found): source = found
    }

    var plan = TranslationPlan(source: source)
    let readers = Readers(of: message, in: conversation, profiles: profiles)
    plan.skippedReaders = readers.skipped
    for (code, language) in readers.codes.sorted(by: { $0.key < $1.key })
    where !language.isReadable(as: source.language) {
      let target = TranslationTarget(code: code, language: language)
      if message.translation(for: code, mayBeOffline: mayBeOffline) == nil {
        plan.missing.append(target)
      } else {
        plan.present.append(target)
      }
    }
    return .translate(plan)
  }

  /// What is to be asked for, for each of `missing`: for several perhaps the same.
  func requests(for message: Message) -> [TranslationTarget: Translator.Request] {
    Dictionary(
      missing.map {
        ($0, Translator.Request(message.text, from: source.language, to: $0.language))
      }
    ) { first, _ in first }
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
  ) -> Result<Source, Refusal> {
    if let refusal = refusal(of: message.text) { return .failure(refusal) }
    guard isAllowed else {
      return .failure(.conversation)
    }
    guard sender?.hasOptedOut != true else {
      return .failure(.sender)
    }
    do throws(StatusError) {
      guard let (language, teller) = try message.sourceLanguage(sender: sender) else {
        return .failure(Refusal(reason: "the message's language is unknown"))
      }
      return .success(Source(language: language, teller: teller))
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
