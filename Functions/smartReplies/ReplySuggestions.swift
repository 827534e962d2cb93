import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

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

  /// What a model is asked, and what its replies are checked against.
  private struct Question: Sendable {
    let plan: ReplyPlan
    let window: ConversationWindow
    let prompt: Prompt
    private let checks: ModelText
    /// The texts of the others.
    private let others: [String]

    init(_ view: MemberView) throws {
      plan = try ReplyPlan(view)
      let newest = view.messages.sorted { $0.position > $1.position }
        .prefix(ReplySuggestions.contextLength)
      window = ConversationWindow(
        Array(newest),
        aliases: view.aliases,
        profiles: view.profiles
      )
      guard !window.entries.isEmpty else {
        throw StatusError(.failedPrecondition, "there is no message to reply to")
      }
      prompt = try ReplyPrompt.prompt(
        window,
        replier: view.aliases[view.uid] ?? "P0",
        plan: plan
      )
      checks = ModelText(prompt, said: window.entries.map(\.text))
      others = newest.filter { $0.senderID != view.uid }.map(\.text)
    }

    /// Why suggestions can't be shown; nil if they can.
    func problem(_ suggestions: Suggestions) -> String? {
      suggestions.settled.problem(plan, checks: checks, others: others)
    }
  }

  func answer(_ call: RepliesCall, caller: Caller?) async throws -> FunctionOutcome {
    let view = try await session.memberView(
      of: call.conversationId,
      caller: caller,
      newest: Self.searchedLength
    )
    let question = try Question(view)
    let cache = try ReplyCache(
      database: session.firestore.endpoint.database,
      conversationID: call.conversationId,
      uid: view.uid
    )
    let now = session.context.sources.now()
    // What is kept has to be as good as what a model says today.
    let taken = try await take(cache) {
      guard let entry = cache.entry(in: $0, for: question.prompt, now: now) else { return nil }
      return question.problem(entry.suggestions) == nil ? entry : nil
    }
    switch taken {
    case .kept(let entry):
      session.context.record.record {
        $0.cacheHits += 1
        $0.add(engine: entry.engine)
      }
      return .done(Answer(entry, plan: question.plan))
    case .claimed(let lease):
      session.context.record.record { $0.cacheMisses += 1 }
      let entry = try await ask(question, lease: lease) { entry throws(StatusError) in
        let last = question.window.entries.last.flatMap { question.window.messageID($0.id) }
        // Who was forgotten meanwhile, or whose message it was, leaves nothing here.
        var present = [try session.userName(view.uid)]
        if let last { present.append(try session.messageName(last, in: call.conversationId)) }
        let write = cache.write(entry, for: question.prompt, lastMessageID: last, now: now)
        return [write, lease.end]
          + present.map { Write(.verify($0), currentDocument: .exists(true)) }
      }
      return .done(Answer(entry, plan: question.plan))
    }
  }

  /// Asks the model and keeps its replies; if it can't answer now, fixed replies stand in.
  ///
  /// - Parameter writes: makes what keeps the replies.
  private func ask(
    _ question: Question,
    lease: Lease,
    writes: (ReplyCache.Entry) throws(StatusError) -> [Write]
  ) async throws(StatusError) -> ReplyCache.Entry {
    let entry: ReplyCache.Entry
    do throws(StatusError) {
      let outcome = try await model.answer(
        question.prompt,
        as: Suggestions.self,
        problem: question.problem
      )
      if outcome.mayChange, let suggestions = FallbackReplies.suggestions(for: question.plan) {
        // They aren't kept: next time the model is asked again.
        session.context.logger.notice("the replies are not a model's")
        await session.leases.release([lease])
        return ReplyCache.Entry(suggestions: suggestions, engine: FallbackReplies.engine)
      }
      let answer = try outcome.get()
      entry = ReplyCache.Entry(suggestions: answer.output.settled, engine: answer.engine)
    } catch {
      await session.leases.release([lease])
      throw error
    }
    await keep(try writes(entry), lease)
    return entry
  }

  private enum Taking {
    case kept(ReplyCache.Entry)
    case claimed(Lease)
  }

  /// Finds what is kept, or takes the lease of who asks the model: of two taps at once, one pays.
  ///
  /// - Parameter entry: what the cache's document holds; nil if it can't be used.
  /// - Throws: `UNAVAILABLE` if another is still at it when the time is up.
  private func take(
    _ cache: ReplyCache,
    entry: (Document?) -> ReplyCache.Entry?
  ) async throws(StatusError) -> Taking {
    let name = try session.leases.name(cache.leaseKey)
    var polling = session.leases.polling(until: session.patience)
    while true {
      let snapshot = try await session.firestore.snapshot([cache.name, name])
      if let entry = entry(snapshot[cache.name]) { return .kept(entry) }
      if session.leases.timeLeft(of: name, in: snapshot) == nil,
        let lease = try await session.leases.acquire(
          [name],
          ifUnchanged: [cache.name],
          since: snapshot,
          // A model takes its time.
          times: 2
        )?[name]
      {
        return .claimed(lease)
      }
      guard await polling.pause() else { throw StatusError.modelIsBeingAsked }
    }
  }

  /// The answer is worth more than the cache: a failure to write it is only logged.
  private func keep(_ writes: [Write], _ lease: Lease) async {
    do throws(StatusError) {
      try await session.firestore.commit(writes)
    } catch {
      session.context.logger.warning(
        "the replies were not cached",
        metadata: ["error": "\(error.message)"]
      )
      await session.leases.release([lease])
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
