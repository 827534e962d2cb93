import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The handling of one question.
struct QueryAnswering {
  private let session: ChatSession
  private let model: ModelSession

  init(_ session: ChatSession, _ model: ModelSession) {
    self.session = session
    self.model = model
  }

  struct Answer: Encodable {
    var aiResponse: String
    var contextIds: [String]
    var queryId: String
    var engine: String
  }

  /// The complete sentences of an answer that the model is still writing.
  private struct Preview: Encodable {
    var aiResponse: String
  }

  /// The material that a question is answered from.
  private struct Material {
    var view: MemberView
    var window: ConversationWindow
    var earlier: [QueryHistory.Exchange]
    var language: Language
  }

  /// An exclusive claim on answering a question.
  private struct Claim {
    var question: String
    /// The time at which Firestore wrote the claim.
    var updateTime: Timestamp?
  }

  func answer(_ call: AskCall, caller: Caller?) async throws -> FunctionOutcome {
    try call.check()
    let view = try await session.memberView(
      of: call.conversationId,
      caller: caller,
      newest: RelevantMessages.searchedLength,
      alsoReading: ["translations", "translationMeta"]
    )
    let record = try QueryRecord(
      call,
      uid: view.uid,
      eventID: session.context.eventID,
      database: session.firestore.endpoint.database
    )
    let claim: Claim
    switch try await take(record, call, view) {
    case .answered(let answer):
      session.context.record.record {
        $0.cacheHits += 1
        $0.add(engine: answer.engine)
      }
      return .done(Answer(answer, record))
    case .claimed(let made): claim = made
    }
    let answer: QueryRecord.Answer
    do throws(StatusError) {
      answer = try await ask(claim.question, from: material(for: claim.question, record, view))
    } catch {
      // The question stays stored, so that it can be asked again.
      await keep(error, of: record, claim)
      throw error
    }
    do throws(StatusError) {
      try await keep(answer, of: record, claim, view.conversation.path)
    } catch {
      guard error.isConflict else { throw error }
      let conflict = StatusError(.aborted, "the answer's sources changed meanwhile: ask again")
      await keep(conflict, of: record, claim)
      throw conflict
    }
    return .done(Answer(answer, record))
  }

  /// Stores the answer.
  ///
  /// - Throws: a conflict if the question's document has changed since it was claimed, or if a
  ///   message that the answer is based on was deleted.
  private func keep(
    _ answer: QueryRecord.Answer,
    of record: QueryRecord,
    _ claim: Claim,
    _ conversation: ResourcePath
  ) async throws(StatusError) {
    var writes = [
      record.write(
        answer,
        to: claim.question,
        ifLastWritten: claim.updateTime,
        now: session.context.sources.now()
      )
    ]
    for id in answer.contextIDs {
      let message = try session.messageName(id, in: conversation)
      writes.append(Write(.verify(message), currentDocument: .exists(true)))
    }
    try await session.firestore.commit(writes)
  }

  // MARK: The question

  private enum Taking {
    case answered(QueryRecord.Answer)
    case claimed(Claim)
  }

  /// Claims a question, or waits for the answer of the invocation that has claimed it.
  private func take(
    _ record: QueryRecord,
    _ call: AskCall,
    _ view: MemberView
  ) async throws(StatusError) -> Taking {
    var polling = session.leases.polling(until: session.waitDeadline)
    // A new question's document isn't read first, because the claim fails if the document exists.
    var document: Document?
    var now = session.context.sources.now()
    if call.queryId != nil {
      let snapshot = try await session.firestore.snapshot([record.name])
      (document, now) = (snapshot[record.name], snapshot.readTime)
    }
    while true {
      var state = try record.state(of: document, at: now)
      if case .answered(let answer, to: let question) = state,
        try await !stands(answer, view)
      {
        state = .open(question: question)
      }
      switch state {
      case .answered(let answer, _): return .answered(answer)
      case .pending:
        guard await polling.pause() else { throw StatusError.modelIsBeingAsked }
      case .open(let question):
        guard !view.window.entries.isEmpty else {
          throw StatusError(.failedPrecondition, "the conversation has no messages to ask about")
        }
        _ = try view.language()
        do throws(StatusError) {
          let commit = try await session.firestore.commit([
            record.claim(question, over: document, now: session.context.sources.now())
          ])
          return .claimed(
            Claim(question: question, updateTime: commit.writeResults?.first?.updateTime)
          )
        } catch {
          guard error.isConflict, session.waitDeadline > .now else { throw error }
        }
      }
      let snapshot = try await session.firestore.snapshot([record.name])
      (document, now) = (snapshot[record.name], snapshot.readTime)
    }
  }

  /// Returns whether all messages that an answer is based on exist and are visible to the caller.
  private func stands(
    _ answer: QueryRecord.Answer,
    _ view: MemberView
  ) async throws(StatusError) -> Bool {
    let seen = Set(view.messages.map(\.document.name.id))
    let others = answer.contextIDs.filter { !seen.contains($0) }
    // This function never writes an invalid message id, so another program wrote such an answer.
    let names = others.compactMap { try? session.messageName($0, in: view.conversation.path) }
    guard names.count == others.count else { return false }
    let documents = try await session.firestore.documents(names)
    return names.allSatisfy { name in
      documents[name].map { view.shows(Message($0)) } ?? false
    }
  }

  /// Stores the failure in the question's document.
  ///
  /// If this write fails, it is only logged: the claim expires by itself.
  private func keep(_ error: StatusError, of record: QueryRecord, _ claim: Claim) async {
    let write = record.write(
      error,
      to: claim.question,
      ifLastWritten: claim.updateTime,
      now: session.context.sources.now()
    )
    do throws(StatusError) {
      try await session.firestore.commit([write])
    } catch {
      session.context.logger.warning(
        "writing the failure to the question failed",
        metadata: ["error": "\(error.message)"]
      )
    }
  }

  // MARK: The answer

  private func material(
    for question: String,
    _ record: QueryRecord,
    _ view: MemberView
  ) async throws(StatusError) -> Material {
    let language = try view.language()
    // Messages that the model may not see must not take room from the others.
    let visible = view.messages.filter { message in
      message.senderID.map { view.profiles[$0]?.hasOptedOut != true } ?? false
    }
    let history = QueryHistory(
      try await session.firestore.run(QueryHistory.query, below: record.owner),
      before: record.name,
      view: view,
      visible: Set(visible.map(\.document.name.id)),
      now: session.context.sources.now()
    )
    let relevant = RelevantMessages(
      of: visible,
      for: history.exchanges.map(\.question) + [question],
      cited: history.cited,
      language: language
    )
    return Material(
      view: view,
      window: ConversationWindow(
        relevant.messages,
        aliases: view.aliases,
        profiles: view.profiles
      ),
      earlier: history.exchanges,
      language: language
    )
  }

  private func ask(
    _ query: String,
    from material: Material
  ) async throws(StatusError) -> QueryRecord.Answer {
    let (view, window, language) = (material.view, material.window, material.language)
    let prompt = try AnswerPrompt.prompt(
      query,
      view: view,
      window: window,
      earlier: material.earlier,
      language: language
    )
    // Earlier questions count as input; earlier answers don't, because a model wrote them.
    let said =
      window.entries.map(\.text) + material.earlier.map(\.question)
      + [PromptText.visible(query, maximum: AskCall.maximumLength)]
    let checks = ModelText(prompt, said: said, quotesInput: true, namesPeople: true)
    @Sendable func problem(_ answer: QueryAnswer) -> String? {
      answer.problem(window, in: language, checks: checks)
        ?? (view.aliases.knowsEverybody(in: answer.answer, about: said)
          ? nil : "answer has an alias that is not in the input")
    }
    @Sendable func shown(_ answer: QueryAnswer) -> String {
      view.aliases.showingNames(in: ModelText.settled(answer.answer), about: said)
    }
    var onText: (@Sendable (String) -> Void)?
    if let onPartial = session.context.onPartial {
      let preview = AnswerPreview { answer in
        if problem(answer) == nil { onPartial(Preview(aiResponse: shown(answer))) }
      }
      onText = { preview.show($0) }
    }
    let answer = try await model.answer(
      prompt,
      as: QueryAnswer.self,
      onText: onText,
      problem: problem
    )
    let (output, engine) = try answer.get()
    let text = ModelText.settled(output.answer)
    var people: [String: String] = [:]
    for uid in view.conversation.participants + view.messages.compactMap(\.senderID) {
      if let alias = view.aliases[uid], text.utf8.contains("[\(alias)]".utf8) {
        people[alias] = uid
      }
    }
    return QueryRecord.Answer(
      text: shown(output),
      contextIDs: output.contextIDs(window),
      engine: engine,
      modelText: text,
      people: people
    )
  }
}

extension QueryAnswering.Answer {
  fileprivate init(_ answer: QueryRecord.Answer, _ record: QueryRecord) {
    self.init(
      aiResponse: answer.text,
      contextIds: answer.contextIDs,
      queryId: record.name.id,
      engine: answer.engine
    )
  }
}
