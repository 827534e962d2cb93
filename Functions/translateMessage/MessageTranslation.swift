import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging

/// The translation of one stored message for all its readers.
struct MessageTranslation {
  private let session: ChatSession
  private let translator: Translator

  init(_ session: ChatSession, _ translator: Translator) {
    self.session = session
    self.translator = translator
  }

  /// The function's result for one message.
  struct Report: Encodable {
    struct Failure: Encodable {
      var language: String
      var error: FunctionReply.Failure
    }

    var sourceLang: String
    /// The languages whose translations this invocation wrote.
    var translated: [String] = []
    /// The languages whose translations the message already had.
    var present: [String] = []
    var failed: [Failure] = []
    var skippedReaders: [Readers.Skipped] = []
  }

  /// The maximum number of retries after a conflicting write. Each retry waits longer than the one
  /// before.
  ///
  /// A large group writes dozens of read receipts to a message at once.
  private static let maximumConflicts = 50

  /// The maximum number of copies of cache entries in one commit.
  private static let maximumCopies = 32

  /// Translates the current version of the message.
  ///
  /// The message is read again, because an event may be late and its snapshot stale.
  ///
  /// The commit has the version that was read as its precondition. If a receipt or an edit changes
  /// the message meanwhile, the commit fails and the message is read again. So a message never has
  /// a translation of another text.
  ///
  /// The event's snapshot determines which other documents are read. It also shows which
  /// translations the client wrote together with the text.
  func translate(_ event: DocumentEvent) async throws -> FunctionOutcome {
    var answers: Translator.Answers = [:]
    var conflict: StatusError?
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      guard let reading = try await read(event) else {
        return .skipped(reason: "the message no longer exists")
      }
      let message = reading.message
      var edit = MessageEdit(message, now: session.context.sources.now())
      var report: Report?
      var requests: [TranslationTarget: Translator.Request] = [:]
      var cacheWrites: [Write] = []
      if case .translate(let plan) = reading.decision {
        report = Report(plan)
        requests = plan.requests(for: message)
        let unanswered = Set(requests.values).subtracting(answers.keys)
        if !unanswered.isEmpty {
          let new = try await translator.translate(unanswered, known: reading.snapshot)
          answers.merge(new) { _, new in new }
        }
        edit.add(plan.source)
        cacheWrites = add(requests, answers, to: &edit)
      }
      guard !requests.isEmpty || edit.removesFormer else {
        return .skipped(reason: reading.decision.reasonToSkip, result: report)
      }
      let commit: CommitResponse
      do throws(StatusError) {
        commit = try await session.firestore.commit([edit.write] + cacheWrites)
      } catch {
        guard error.isConflict else { throw error }
        conflict = error
        // The answers are cached in any case: other invocations may wait for them.
        answers = try await translator.keep(answers)
        if error.code == .notFound {
          // Either an entry of the cache or the message was deleted.
          answers = answers.filter { (try? $0.value.get()) == nil }
        }
        await session.pause(after: attempt)
        continue
      }
      guard let report, !requests.isEmpty else {
        return .skipped(reason: reading.decision.reasonToSkip, result: report)
      }
      let outcome = try outcome(of: requests, answers: answers, report: report)
      // The time since its creation says nothing about the translation of an edited message.
      if event.change == .created {
        session.record(.translation, of: message, at: commit.commitTime)
      }
      return outcome
    }
    throw StatusError(
      .aborted,
      "the message kept changing while it was translated: \(conflict?.message ?? "conflict")"
    )
  }

  /// Adds all translations and failures to the message's edit, and returns the writes to the cache.
  private func add(
    _ requests: [TranslationTarget: Translator.Request],
    _ answers: Translator.Answers,
    to edit: inout MessageEdit
  ) -> [Write] {
    let requests = requests.sorted { $0.key.code < $1.key.code }
    let codes = Dictionary(grouping: requests, by: \.value)
      .mapValues { $0.compactMap { edit.codes(for: $0.key.code) } }
    var used: Set<Translator.Request> = []
    var copies = 0
    var cacheWrites: [Write] = []
    for (target, request) in requests {
      switch answers[request] {
      case .success(let answer):
        edit.add(answer, for: target.code)
        guard used.insert(request).inserted else { continue }
        let new = answer.codesWithoutCopy(among: codes[request] ?? [])
          .prefix(Self.maximumCopies - copies)
        copies += new.count
        cacheWrites += answer.use(by: edit.user, copyingFor: Array(new))
      case .failure(let error): edit.add(error, for: target.code)
      case nil: break
      }
    }
    return cacheWrites
  }

  /// Returns the result once the successful translations are written.
  ///
  /// - Throws: a transient failure, so that the event is retried; a permanent one only if no
  ///   translation succeeded.
  private func outcome(
    of requests: [TranslationTarget: Translator.Request],
    answers: Translator.Answers,
    report: Report
  ) throws(StatusError) -> FunctionOutcome {
    var report = report
    var failures: [StatusError] = []
    for (target, request) in requests.sorted(by: { $0.key.code < $1.key.code }) {
      switch answers[request] {
      case .success: report.translated.append(target.code)
      case .failure(let error):
        failures.append(error)
        report.failed.append(
          .init(language: target.code, error: FunctionReply.Failure(error))
        )
      case nil: break
      }
    }
    if let error = failures.first(where: { ExitCode($0) != .badEvent }) { throw error }
    if let error = failures.first, report.translated.isEmpty { throw error }
    session.context.logger.info(
      "translated",
      metadata: ["languages": "\(report.translated.count)"]
    )
    return .done(report)
  }

  // MARK: Reading

  private struct Reading {
    var message: Message
    var decision: TranslationPlan.Decision
    var snapshot: Snapshot
  }

  /// Reads the message, and the documents that its translation depends on.
  ///
  /// - Returns: The message and the decision, or `nil` if the message doesn't exist.
  private func read(_ event: DocumentEvent) async throws(StatusError) -> Reading? {
    let name = event.document
    let conversationName = try session.conversationName(of: name.path)
    let guess = try guess(event)
    var snapshot = try await session.firestore.snapshot(
      [name, conversationName] + (guess?.names ?? [])
    )
    guard let document = snapshot[name] else { return nil }
    if let guess, try session.confirms(guess.expected, by: snapshot) {
      return Reading(message: guess.expected.message, decision: guess.decision, snapshot: snapshot)
    }
    let message = Message(document).distrusting(event.value, since: event.oldValue)
    if let refusal = TranslationPlan.refusal(of: message.text) {
      return Reading(
        message: message,
        decision: .skip(reason: refusal.reason),
        snapshot: snapshot
      )
    }
    let conversation = try Conversation(snapshot[conversationName], of: message)
    if conversation.document == nil, let reason = conversation.reasonForNoReaders(of: message) {
      return Reading(message: message, decision: .skip(reason: reason), snapshot: snapshot)
    }
    if conversation.strangeParticipants > 0 {
      session.context.logger.warning(
        "ignored participants that are not user ids",
        metadata: ["count": "\(conversation.strangeParticipants)"]
      )
    }
    let users = conversation.users(of: message)
    snapshot = try await session.firestore.extended(snapshot, by: session.userNames(users))
    let profiles = try session.profiles(of: users, in: snapshot)
    session.remember(conversation, profiles, as: conversationName)
    return Reading(
      message: message,
      decision: decide(message, conversation, profiles),
      snapshot: snapshot
    )
  }

  private func decide(
    _ message: Message,
    _ conversation: Conversation,
    _ profiles: [String: UserProfile]
  ) -> TranslationPlan.Decision {
    TranslationPlan.decide(
      message: message,
      conversation: conversation,
      profiles: profiles,
      mayBeOffline: translator.mayBeOffline
    )
  }

  /// A decision made before the read, from the conversation and the profiles that this process last
  /// read.
  ///
  /// `names` are the documents to read with the message: its readers' profiles and the cache's
  /// entries.
  private struct Guess {
    var expected: ExpectedMessage
    var decision: TranslationPlan.Decision
    var names: [DocumentName]
  }

  private func guess(_ event: DocumentEvent) throws(StatusError) -> Guess? {
    guard let expected = session.expected(event.value, since: event.oldValue) else { return nil }
    let decision = decide(expected.message, expected.conversation, expected.profiles)
    guard case .translate(let plan) = decision else { return nil }
    var names = try session.userNames(expected.conversation.users(of: expected.message))
    for request in Set(plan.requests(for: expected.message).values) {
      names.append(try translator.entry(of: request))
    }
    return Guess(expected: expected, decision: decision, names: names)
  }
}

extension MessageTranslation.Report {
  fileprivate init(_ plan: TranslationPlan) {
    self.init(
      sourceLang: plan.source.language.code,
      present: plan.present.map(\.code),
      skippedReaders: plan.skippedReaders
    )
  }
}

extension TranslationPlan.Decision {
  /// The reason why nothing is translated.
  fileprivate var reasonToSkip: String {
    switch self {
    case .skip(let reason): reason
    case .translate(let plan) where plan.present.isEmpty: "no reader needs a translation"
    case .translate: "the message has all translations already"
    }
  }
}
