import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging

/// The translation that a client's call asks for.
struct CallTranslation {
  private let session: ChatSession
  private let translator: Translator
  private let caller: Caller?

  init(_ session: ChatSession, _ translator: Translator, caller: Caller?) {
    self.session = session
    self.translator = translator
    self.caller = caller
  }

  struct Answer: Encodable {
    /// The translation, or `null` if there is none; `reason` then says why.
    var translatedText: String?
    var sourceLang: String
    /// The language of a text that the caller sent without one.
    var detectedSourceLanguage: String?
    var targetLang: String
    var engine: String?
    var reason: String?
  }

  struct BatchAnswer: Encodable {
    var targetLang: String
    /// The answers by message id.
    var messages: [ByteKey: Answer]
  }

  func answer(_ form: TranslateCall.Form) async throws -> FunctionOutcome {
    switch form {
    case .text(let text, let source, let target, let conversation):
      return try await answer(text: text, from: source, to: target, in: conversation)
    case .message(let id, let conversation, let target, let text):
      let answers = try await translate([id], in: conversation, to: target, expecting: text)
      guard let answer = answers[ByteKey(id)] else {
        throw StatusError(.notFound, "there is no message \(quoted(id)) in this conversation")
      }
      if let reason = answer.reason { return .skipped(reason: reason, result: answer) }
      return .done(answer)
    case .messages(let ids, let conversation, let target):
      let answers = try await translate(ids, in: conversation, to: target, expecting: nil)
      return .done(BatchAnswer(targetLang: target.code, messages: answers))
    }
  }

  // MARK: A text

  private func answer(
    text: String,
    from given: TranslateCall.Source?,
    to target: TranslationTarget,
    in conversationID: String?
  ) async throws -> FunctionOutcome {
    var refusal = TranslationPlan.refusal(of: text)
    let detected = given == nil && refusal == nil ? Language(detectedIn: text) : nil
    var answer = Answer(
      sourceLang: (given?.language ?? detected)?.code ?? "und",
      detectedSourceLanguage: detected?.code,
      targetLang: target.code
    )
    guard let source = given?.language ?? detected else {
      return skipped(answer, refusal ?? .unknownLanguage, text)
    }
    let request = Translator.Request(text, from: source, to: target.language)
    var known: Snapshot?
    if refusal == nil, caller == nil, conversationID != nil { throw StatusError.notSignedIn }
    if refusal == nil, let caller {
      // One read fetches the cache's entry and the documents that decide on consent.
      let names = try consentNames(of: caller, conversationID)
      let entry = try translator.entry(of: request)
      let snapshot = try await session.firestore.snapshot(names + [entry])
      refusal = try consentRefusal(of: caller, conversationID, in: snapshot)
      known = snapshot
    }
    if let refusal { return skipped(answer, refusal, text) }
    guard !target.language.isReadable(as: source) else {
      answer.translatedText = text
      return .done(answer)
    }
    guard let result = try await translator.translate([request], known: known)[request] else {
      throw StatusError(.internal, "the translator returned no answer for this text")
    }
    let translation = try result.get()
    answer.translatedText = translation.text
    answer.engine = translation.engine
    await keep(translation, for: CodePair(source: given?.code ?? source.code, target: target.code))
    return .done(answer)
  }

  /// Returns the outcome of a text that isn't translated.
  private func skipped(
    _ answer: Answer,
    _ refusal: TranslationPlan.Refusal,
    _ text: String
  ) -> FunctionOutcome {
    var answer = answer
    answer.reason = refusal.reason
    if refusal == .noWords { answer.translatedText = text }
    return .skipped(reason: refusal.reason, result: answer)
  }

  /// Returns the names of the documents that decide whether the caller's text may be translated.
  private func consentNames(
    of caller: Caller,
    _ conversationID: String?
  ) throws(StatusError) -> [DocumentName] {
    var names = [try session.userName(caller.uid)]
    if let conversationID { names += try session.conversationNames(conversationID) }
    return names
  }

  /// Returns the reason not to send the caller's text to a translator, or `nil` if it may be sent.
  ///
  /// - Throws: `notAMember` if the caller names a conversation that they are not a member of.
  private func consentRefusal(
    of caller: Caller,
    _ conversationID: String?,
    in snapshot: Snapshot
  ) throws(StatusError) -> TranslationPlan.Refusal? {
    if let conversationID {
      let names = try session.conversationNames(conversationID)
      guard let document = names.lazy.compactMap({ snapshot[$0] }).first else {
        throw StatusError.notAMember
      }
      let conversation = try Conversation(document)
      guard conversation.hasParticipant(caller.uid) else { throw StatusError.notAMember }
      guard conversation.allowsTranslation else { return .conversation }
    }
    let user = snapshot[try session.userName(caller.uid)].map(UserProfile.init)
    return user?.hasOptedOut == true ? .sender : nil
  }

  /// Writes the translation to the cache.
  ///
  /// A failure is only logged: the caller gets the answer anyway.
  private func keep(_ translation: Translator.Answer, for codes: CodePair) async {
    let use = translation.use(
      by: session.context.invocationID,
      copyingFor: translation.codesWithoutCopy(among: [codes])
    )
    guard !use.isEmpty else { return }
    do throws(StatusError) {
      try await session.firestore.commit(use)
    } catch {
      session.context.logger.warning(
        "caching the translation failed",
        metadata: ["error": "\(error.message)"]
      )
    }
  }

  // MARK: Stored messages

  /// Translates messages of a conversation that the caller is a member of.
  ///
  /// The result omits ids of messages that don't exist or that the caller may not see.
  private func translate(
    _ ids: [String],
    in conversationID: String,
    to target: TranslationTarget,
    expecting text: String?
  ) async throws -> [ByteKey: Answer] {
    guard let caller else { throw StatusError.notSignedIn }
    let found = try await session.conversation(conversationID, messages: ids)
    let conversation = try found.document.map { document throws(StatusError) in
      try Conversation(document)
    }
    // Membership is checked before any message, so that a stranger can't find out which message ids
    // exist.
    if let conversation, !conversation.hasParticipant(caller.uid) {
      throw StatusError.notAMember
    }

    var messages: [ByteKey: Message] = [:]
    for (id, document) in found.messages {
      let message = Message(document)
      let conversation = conversation ?? Conversation(of: message)
      guard conversation.hasParticipant(caller.uid) else { throw StatusError.notAMember }
      // A message from before the caller joined doesn't exist for the caller.
      guard conversation.shows(message, to: caller.uid) else { continue }
      if let text, !text.hasSameBytes(as: message.text) {
        throw StatusError(.failedPrecondition, "text differs from the message's text")
      }
      messages[id] = message
    }
    // Without the conversation's document, only its messages show who is a member.
    if conversation == nil, messages.isEmpty { throw StatusError.notAMember }
    return try await translate(messages, allowed: conversation?.allowsTranslation ?? true, target)
  }

  private func translate(
    _ messages: [ByteKey: Message],
    allowed: Bool,
    _ target: TranslationTarget
  ) async throws -> [ByteKey: Answer] {
    let profiles = try await session.profiles(of: messages.values.compactMap(\.senderID))
    var answers: [ByteKey: Answer] = [:]
    var wanted: [ByteKey: Wanted] = [:]
    for (id, message) in messages {
      let sender = message.senderID.flatMap { profiles[$0] }
      switch decide(message, sender: sender, allowed: allowed, target) {
      case .answer(let answer): answers[id] = answer
      case .translate(let translation): wanted[id] = translation
      }
    }
    // The translations are cached before the messages are written. Each message is written
    // separately: if one has changed, the others still get their translations.
    let results = try await translator.keep(
      translator.translate(Set(wanted.values.map(\.request)))
    )
    var failures: [StatusError] = []
    for (id, wanted) in wanted {
      guard let result = results[wanted.request] else { continue }
      var answer = Answer(sourceLang: wanted.source.language.code, targetLang: target.code)
      switch result {
      case .success(let translation):
        do throws(StatusError) {
          let written = try await write(translation, for: target, wanted)
          answer.translatedText = written.text
          answer.engine = written.engine
        } catch {
          if !error.isConflict { failures.append(error) }
          answer.reason =
            error.isConflict
            ? "the message has changed meanwhile" : "writing the translation failed"
        }
      case .failure(let error):
        failures.append(error)
        answer.reason = error.message
      }
      answers[id] = answer
    }
    // The successful translations are written by now. A call for one message fails on any error. A
    // call for several ignores invalid requests, such as an unsupported language pair.
    if let error = failures.first(where: { messages.count == 1 || ExitCode($0) != .badEvent }) {
      throw error
    }
    return answers
  }

  /// A translation that a message lacks, and the request for it.
  private struct Wanted {
    var message: Message
    var source: TranslationPlan.Source
    var request: Translator.Request
  }

  private enum Decision {
    case answer(Answer)
    case translate(Wanted)
  }

  private func decide(
    _ message: Message,
    sender: UserProfile?,
    allowed: Bool,
    _ target: TranslationTarget
  ) -> Decision {
    switch TranslationPlan.source(of: message, sender: sender, isAllowed: allowed) {
    case .failure(let refusal):
      return .answer(
        Answer(
          translatedText: refusal == .noWords ? message.text : nil,
          sourceLang: message.language ?? "und",
          targetLang: target.code,
          reason: refusal.reason
        )
      )
    case .success(let source):
      var answer = Answer(sourceLang: source.language.code, targetLang: target.code)
      if target.language.isReadable(as: source.language) {
        answer.translatedText = message.text
      } else if let present = message.translation(
        for: target.code,
        mayBeOffline: translator.mayBeOffline
      ) {
        answer.translatedText = present.text
        answer.engine = present.engine
      } else {
        let request = Translator.Request(
          message.text,
          from: source.language,
          to: target.language
        )
        return .translate(Wanted(message: message, source: source, request: request))
      }
      return .answer(answer)
    }
  }

  /// Writes a translation to its message.
  ///
  /// - Returns: The translation that was written. If the cache's entry was deleted meanwhile, it is
  ///   a new translation.
  private func write(
    _ translation: Translator.Answer,
    for target: TranslationTarget,
    _ wanted: Wanted
  ) async throws(StatusError) -> Translator.Answer {
    do throws(StatusError) {
      try await commit(translation, for: target, wanted)
      return translation
    } catch {
      // Either the cache's entry or the message was deleted.
      guard error.code == .notFound else { throw error }
      let answers = try await translator.keep(translator.translate([wanted.request]))
      guard let again = try answers[wanted.request]?.get() else { throw error }
      try await commit(again, for: target, wanted)
      return again
    }
  }

  private func commit(
    _ translation: Translator.Answer,
    for target: TranslationTarget,
    _ wanted: Wanted
  ) async throws(StatusError) {
    var edit = MessageEdit(wanted.message, now: session.context.sources.now())
    edit.add(wanted.source)
    edit.add(translation, for: target.code)
    let codes = [edit.codes(for: target.code)].compactMap(\.self)
    let use = translation.use(
      by: edit.user,
      copyingFor: translation.codesWithoutCopy(among: codes)
    )
    try await session.firestore.commit([edit.write] + use)
  }
}

extension TranslationPlan.Refusal {
  /// The language of a call's text can't be detected.
  fileprivate static let unknownLanguage = TranslationPlan.Refusal(
    reason: "the text's language is unknown: send sourceLang"
  )
}
