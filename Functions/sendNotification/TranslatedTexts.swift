import Chat
import Core
import FirestoreClient
import FunctionRuntime
import Logging

/// A message's text for each reader: translated if possible, otherwise the original.
///
/// A push never waits for a translator that is down.
struct TranslatedTexts {
  struct ReaderText {
    var text: String
    var language: String?
    var engine: String?
    /// A Boolean value that indicates whether the reader has switched previews in pushes off.
    var isHidden = false
    /// The text of a push.
    var pushText: String { isHidden ? WordedBody.newMessage(in: language) : text }
    /// The reason why the text is the original although the reader's language differs.
    var reason: String?
  }

  private let message: Message
  private var texts: [String: ReaderText] = [:]
  /// The requests for missing translations, by reader.
  private(set) var requests: [String: Translator.Request] = [:]

  /// Returns the text for a reader, or `nil` if the message isn't for this user.
  ///
  /// - Parameter uid: the id of a participant.
  func text(for uid: String) -> ReaderText? { texts[uid] }

  /// Returns whether no translation of the reader's text is missing.
  func isFinal(for uid: String) -> Bool { requests[uid] == nil || texts[uid]?.engine != nil }

  /// Returns whether the texts are those of the message's current text.
  func isCurrent(_ message: Message) -> Bool { self.message.text.hasSameBytes(as: message.text) }

  /// Creates the texts from the message and the translations stored in it.
  ///
  /// - Parameter mayBeOffline: whether a translation by the emulator's offline engines counts.
  init(
    of message: Message,
    in conversation: Conversation,
    profiles: [String: UserProfile],
    mayBeOffline: Bool
  ) {
    self.message = message
    let sender = message.senderID.flatMap { profiles[$0] }
    let source = try? message.language(sender: sender)
    let mayTranslate = conversation.allowsTranslation && sender?.hasOptedOut != true
    let media = message.hasText ? nil : WordedBody.Media(of: message)

    for uid in conversation.participants where uid != message.senderID {
      let code = conversation.language(of: uid, profile: profiles[uid])
      let text = media.map { WordedBody.text(of: $0, in: code) } ?? message.text
      var readerText = ReaderText(text: text, language: code)
      defer { texts[uid] = readerText }
      readerText.isHidden = profiles[uid]?.showsPreview == false
      guard message.hasText, let code else { continue }
      guard let language = try? Language(code) else {
        readerText.language = nil
        readerText.reason = "unknown language code in the profile"
        continue
      }
      guard let source else {
        readerText.reason = "the message's language is unknown"
        continue
      }
      let mode = Readers.mode(of: profiles[uid], reading: language, source: source)
      guard let mode else { continue }
      if mode == .never {
        readerText.reason = "the reader wants no translations"
      } else if let translation = message.translation(into: language, mayBeOffline: mayBeOffline) {
        readerText.text = translation.text
        readerText.engine = translation.engine
      } else if mode == .onDemand {
        readerText.reason = "the reader wants translations on demand only"
      } else if !mayTranslate {
        readerText.reason = "translation is off"
      } else if message.text.unicodeScalars.count > Translator.maximumCharacters {
        readerText.reason = "the text is too long to translate"
      } else if !Translator.hasWords(message.text) {
        readerText.reason = "the text has nothing to translate"
      } else {
        requests[uid] = Translator.Request(message.text, from: source, to: language)
      }
    }
  }

  /// Returns the translator's answers to the requests.
  ///
  /// - Parameter known: the documents read so far, possibly including the cache's entries.
  func answers(
    by translator: Translator,
    known: Snapshot,
    session: ChatSession
  ) async -> Translator.Answers {
    let requests = Set(requests.values)
    guard !requests.isEmpty else { return [:] }
    let answers: Translator.Answers
    do throws(StatusError) {
      answers = try await translator.translate(requests, known: known)
    } catch {
      session.context.logger.warning(
        "translation failed: pushes have the original text",
        metadata: ["error": "\(error.message)"]
      )
      return Dictionary(uniqueKeysWithValues: requests.map { ($0, .failure(error)) })
    }
    await keep(answers, translator: translator, session: session)
    return answers
  }

  /// Returns a copy that has the answers' translations.
  func translated(_ answers: Translator.Answers) -> TranslatedTexts {
    var result = self
    for (uid, request) in requests {
      switch answers[request] {
      case .success(let answer):
        result.texts[uid]?.text = answer.text
        result.texts[uid]?.engine = answer.engine
      case .failure(let error): result.texts[uid]?.reason = error.message
      case nil: result.texts[uid]?.reason = "the text changed while waiting for its translation"
      }
    }
    return result
  }

  /// Writes the translations to the cache.
  ///
  /// A failure is only logged: the push is sent anyway.
  private func keep(
    _ answers: Translator.Answers,
    translator: Translator,
    session: ChatSession
  ) async {
    do throws(StatusError) {
      try await translator.keep(answers)
    } catch {
      session.context.logger.warning(
        "caching the translations failed",
        metadata: ["error": "\(error.message)"]
      )
    }
  }
}
