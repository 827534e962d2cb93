import Chat
import Core

/// A language to translate into, and the code under which clients look for the translation.
struct TranslationTarget: Hashable {
  /// The code as in readers' profiles, such as `zh_CN`.
  var code: String
  var language: Language
}

/// The translations that a message still lacks.
///
/// The plan is a pure function of the documents that were read.
struct TranslationPlan: Equatable {
  /// The decision on a message.
  enum Decision: Equatable {
    case skip(reason: String)
    case translate(TranslationPlan)
  }

  var source: Source
  /// The languages to translate into, sorted by code.
  var missing: [TranslationTarget] = []
  /// The languages whose translations exist and belong to the current text.
  var present: [TranslationTarget] = []
  var skippedReaders: [Readers.Skipped] = []

  private init(source: Source) { self.source = source }

  /// A message's language, and the source of that information.
  struct Source: Equatable {
    var language: Language
    var teller: Message.LanguageSource
  }

  /// Returns the decision on a message.
  ///
  /// - Parameters:
  ///   - profiles: the profiles of all participants, including the sender.
  ///   - mayBeOffline: whether a translation by the emulator's offline engines counts.
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
    let readers = Readers(
      of: message,
      in: conversation,
      profiles: profiles,
      source: source.language
    )
    plan.skippedReaders = readers.skipped
    for (code, language) in readers.codes.sorted(by: { $0.key < $1.key }) {
      let target = TranslationTarget(code: code, language: language)
      if message.translation(for: code, mayBeOffline: mayBeOffline) == nil {
        plan.missing.append(target)
      } else {
        plan.present.append(target)
      }
    }
    return .translate(plan)
  }

  /// Returns the request to the translator for each missing translation.
  ///
  /// Two codes of one language, such as `zh_CN` and `zh-CN`, have the same request.
  func requests(for message: Message) -> [TranslationTarget: Translator.Request] {
    Dictionary(
      missing.map {
        ($0, Translator.Request(message.text, from: source.language, to: $0.language))
      }
    ) { first, _ in first }
  }

  /// The reason why a message isn't translated for any reader.
  struct Refusal: Error, Equatable {
    var reason: String

    static let conversation = Refusal(reason: "translation is off in this conversation")
    static let sender = Refusal(reason: "the sender has opted out of translation")
    /// The text is the same in every language, such as a text of emoji only.
    static let noWords = Refusal(reason: "the text has nothing to translate")
  }

  /// Returns the language of a message, or the reason why it isn't translated.
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

  /// Returns the reason why a text isn't translated, or `nil` if it is.
  static func refusal(of text: String) -> Refusal? {
    guard Message.hasText(text) else { return Refusal(reason: "the message has no text") }
    guard text.unicodeScalars.count <= Translator.maximumCharacters else {
      return Refusal(reason: "the text is longer than \(Translator.maximumCharacters) characters")
    }
    guard Translator.hasWords(text) else { return .noWords }
    return nil
  }
}
