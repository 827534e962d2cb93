import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The suggestions that a client's call asks for.
struct ReplySuggestions {
  /// The number of messages that the model gets.
  private static let contextLength = 10
  /// The number of messages that are read. The caller's own messages among them show the caller's
  /// style.
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

  /// The prompt, and the checks of the replies to it.
  private struct Question: Sendable {
    let plan: ReplyPlan
    let window: ConversationWindow
    let prompt: Prompt
    private let checks: ModelText
    /// The texts of the other members.
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

    /// Returns the problem with suggestions, or `nil` if they can be shown.
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
    // Cached replies must pass the same checks as new ones.
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
        // Nothing is stored if the user or the last message was deleted meanwhile.
        var present = [try session.userName(view.uid)]
        if let last { present.append(try session.messageName(last, in: view.conversation.path)) }
        let write = cache.write(entry, for: question.prompt, lastMessageID: last, now: now)
        return [write, lease.end]
          + present.map { Write(.verify($0), currentDocument: .exists(true)) }
      }
      return .done(Answer(entry, plan: question.plan))
    }
  }

  /// Asks the model and caches its replies, or returns fallback replies if the model can't answer
  /// now.
  ///
  /// - Parameter writes: returns the writes that cache the replies.
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
        // Fallback replies aren't cached: the next call asks the model again.
        session.context.logger.notice("the model can't answer now: used fallback replies")
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

  /// Returns the cached replies, or takes the lease for a request to the model.
  ///
  /// So two concurrent calls make only one request to the model.
  ///
  /// - Parameter entry: returns the cache document's entry, or `nil` if it can't be used.
  /// - Throws: `UNAVAILABLE` if another invocation is still asking the model when the time is up.
  private func take(
    _ cache: ReplyCache,
    entry: (Document?) -> ReplyCache.Entry?
  ) async throws(StatusError) -> Taking {
    let name = try session.leases.name(cache.leaseKey)
    var polling = session.leases.polling(until: session.waitDeadline)
    while true {
      let snapshot = try await session.firestore.snapshot([cache.name, name])
      if let entry = entry(snapshot[cache.name]) { return .kept(entry) }
      if session.leases.timeLeft(of: name, in: snapshot) == nil,
        let lease = try await session.leases.acquire(
          [name],
          ifUnchanged: [cache.name],
          since: snapshot,
          // A model may take longer than one lease lasts.
          times: 2
        )?[name]
      {
        return .claimed(lease)
      }
      guard await polling.pause() else { throw StatusError.modelIsBeingAsked }
    }
  }

  /// Writes the replies to the cache.
  ///
  /// A failure is only logged: the caller gets the answer anyway.
  private func keep(_ writes: [Write], _ lease: Lease) async {
    do throws(StatusError) {
      try await session.firestore.commit(writes)
    } catch {
      session.context.logger.warning(
        "caching the replies failed",
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
