import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import Logging
import Providers
import RPCStatus

/// Answers a call for replies.
struct ReplySuggestions {
  /// How many messages a model sees.
  private static let contextLength = 10
  /// How many are read: the caller's own among them show how they write.
  private static let searchedLength = 50

  private let session: ChatSession
  private let model: ModelSession

  init(_ session: ChatSession, _ model: ModelSession) {
    self.session = session
    self.model = model
  }

  struct Answer: Encodable {
    struct Suggestion: Encodable {
      var text: String
      var language: String
      var translation: String
      var translationLanguage: String
    }

    var suggestions: [Suggestion]
    var engine: String
  }

  func answer(_ call: RepliesCall, caller: Caller?) async throws -> FunctionOutcome {
    let view = try await session.memberView(
      of: call.conversationId,
      caller: caller,
      newest: Self.searchedLength
    )
    let plan = try ReplyPlan(view)
    let newest = view.messages.sorted { $0.position > $1.position }.prefix(Self.contextLength)
    let window = ConversationWindow(
      Array(newest),
      aliases: view.aliases,
      profiles: view.profiles
    )
    guard !window.entries.isEmpty else {
      throw StatusError(.failedPrecondition, "there is no message to reply to")
    }
    let prompt = try ReplyPrompt.prompt(
      window,
      replier: view.aliases[view.uid] ?? "P0",
      plan: plan
    )
    let cache = try ReplyCache(
      database: session.firestore.endpoint.database,
      conversationID: call.conversationId,
      uid: view.uid
    )
    let checks = ModelText(prompt)
    let others = newest.filter { $0.senderID != view.uid }.map(\.text)
    @Sendable func problem(_ suggestions: Suggestions) -> String? {
      suggestions.settled.problem(plan, checks: checks, others: others)
    }
    let now = session.context.sources.now()
    let document = try await session.firestore.document(cache.name)
    // What is kept has to be as good as what a model says today.
    if let entry = cache.entry(in: document, for: prompt, now: now),
      problem(entry.suggestions) == nil
    {
      session.context.record.record {
        $0.cacheHits += 1
        $0.add(engine: entry.engine)
      }
      return .done(Answer(entry, plan: plan))
    }
    session.context.record.record { $0.cacheMisses += 1 }
    let outcome = try await model.answer(prompt, as: Suggestions.self, problem: problem)
    if outcome.mayChange, let suggestions = FallbackReplies.suggestions(for: plan) {
      // They aren't kept: next time the model is asked again.
      session.context.logger.notice("the replies are not a model's")
      let entry = ReplyCache.Entry(suggestions: suggestions, engine: FallbackReplies.engine)
      return .done(Answer(entry, plan: plan))
    }
    let (suggestions, engine) = try outcome.get()
    let entry = ReplyCache.Entry(suggestions: suggestions.settled, engine: engine)
    let last = window.entries.last.flatMap { window.messageID($0.id) }
    await keep(cache.write(entry, for: prompt, lastMessageID: last, now: now))
    return .done(Answer(entry, plan: plan))
  }

  /// The answer is worth more than the cache: a failure to write it is only logged.
  private func keep(_ write: Write) async {
    do throws(StatusError) {
      try await session.firestore.commit([write])
    } catch {
      session.context.logger.warning(
        "the replies were not cached",
        metadata: ["error": "\(error.message)"]
      )
    }
  }
}

extension ReplySuggestions.Answer {
  fileprivate init(_ entry: ReplyCache.Entry, plan: ReplyPlan) {
    self.init(
      suggestions: entry.suggestions.suggestions.map {
        Suggestion(
          text: $0.text,
          language: plan.language.code,
          translation: $0.translation,
          translationLanguage: plan.otherLanguage.code
        )
      },
      engine: entry.engine
    )
  }
}
