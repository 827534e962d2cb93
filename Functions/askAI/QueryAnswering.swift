import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import Providers
import RPCStatus

/// Answers a question.
struct QueryAnswering {
  /// How many messages a model sees.
  private static let contextLength = 30

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

  /// As much of an answer as there is before its end.
  private struct Preview: Encodable {
    var aiResponse: String
  }

  func answer(_ call: AskCall, caller: Caller?) async throws -> FunctionOutcome {
    try call.check()
    let view = try await session.memberView(
      of: call.conversationId,
      caller: caller,
      newest: Self.contextLength
    )
    let record = try QueryRecord(
      call,
      uid: view.uid,
      eventID: session.context.eventID,
      database: session.firestore.endpoint.database
    )
    if let known = record.answer(in: try await session.firestore.document(record.name)) {
      session.context.record.record {
        $0.cacheHits += 1
        $0.add(engine: known.engine)
      }
      return .done(Answer(known, record))
    }
    let window = view.window
    guard !window.entries.isEmpty else {
      throw StatusError(.failedPrecondition, "the conversation has no messages to ask about")
    }
    let answer = try await ask(call.query, view: view, window: window)
    try await session.firestore.commit([
      record.write(answer, now: session.context.sources.now())
    ])
    return .done(Answer(answer, record))
  }

  private func ask(
    _ query: String,
    view: MemberView,
    window: ConversationWindow
  ) async throws(StatusError) -> QueryRecord.Answer {
    let language = try view.language()
    let prompt = try AnswerPrompt.prompt(query, view: view, window: window, language: language)
    let checks = ModelText(prompt, quotesInput: true, namesPeople: true)
    let said = window.entries.map(\.text) + [query]
    @Sendable func problem(_ answer: QueryAnswer) -> String? {
      answer.problem(window, in: language, checks: checks)
        ?? (view.aliases.knowsEverybody(in: answer.answer, about: said)
          ? nil : "answer names somebody who isn't there")
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
    return QueryRecord.Answer(
      text: shown(output),
      contextIDs: output.contextIDs(window),
      engine: engine
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
