import Chat
import Core
import FirestoreClient
import FunctionRuntime
import Logging

/// The text of a message for each reader: in their language where possible, the original where not.
/// A push never waits for a translator that is down.
struct TranslatedTexts {
  struct ReaderText {
    var text: String
    var language: String?
    var engine: String?
    /// Whether it stands for a text that this reader's phone must not show.
    var isHidden = false
    /// Why it is the original although the reader's language differs.
    var reason: String?
  }

  private var texts: [String: ReaderText] = [:]
  /// What is still to be translated, by reader.
  private(set) var requests: [String: Translator.Request] = [:]

  /// - Parameter uid: a participant.
  func text(for uid: String) -> ReaderText? { texts[uid] }

  /// As far as the message itself tells.
  ///
  /// - Parameter mayBeOffline: whether what the emulator's engines said counts as a translation.
  init(
    of message: Message,
    in conversation: Conversation,
    profiles: [String: UserProfile],
    mayBeOffline: Bool
  ) {
    let sender = message.senderID.flatMap { profiles[$0] }
    let source = try? message.language(sender: sender)
    let mayTranslate = conversation.allowsTranslation && sender?.hasOptedOut != true
    let media = message.hasText ? nil : WordedBody.Media(of: message)

    for uid in conversation.participants where uid != message.senderID {
      let code = conversation.language(of: uid, profile: profiles[uid])
      let text = media.map { WordedBody.text(of: $0, in: code) } ?? message.text
      var readerText = ReaderText(text: text, language: code)
      defer { texts[uid] = readerText }
      if profiles[uid]?.showsPreview == false {
        readerText.text = WordedBody.newMessage(in: code)
        readerText.isHidden = true
        continue
      }
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
      guard !language.isReadable(as: source) else { continue }
      if let translation = message.translation(into: language, mayBeOffline: mayBeOffline) {
        readerText.text = translation.text
        readerText.engine = translation.engine
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

  /// What the translator says to the requests.
  ///
  /// - Parameter known: what was read already, the cache's entries perhaps among it.
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
        "notifying in the original language",
        metadata: ["error": "\(error.message)"]
      )
      return Dictionary(uniqueKeysWithValues: requests.map { ($0, .failure(error)) })
    }
    await keep(answers, translator: translator, session: session)
    return answers
  }

  /// The same with the translations that there are.
  func translated(_ answers: Translator.Answers) -> TranslatedTexts {
    var result = self
    for (uid, request) in requests {
      switch answers[request] {
      case .success(let answer):
        result.texts[uid]?.text = answer.text
        result.texts[uid]?.engine = answer.engine
      case .failure(let error): result.texts[uid]?.reason = error.message
      case nil: result.texts[uid]?.reason = "it changed while its translation was waited for"
      }
    }
    return result
  }

  /// A push matters more than the cache: a failure to write it is only logged.
  private func keep(
    _ answers: Translator.Answers,
    translator: Translator,
    session: ChatSession
  ) async {
    do throws(StatusError) {
      try await translator.keep(answers)
    } catch {
      session.context.logger.warning(
        "the translations were not cached",
        metadata: ["error": "\(error.message)"]
      )
    }
  }
}
