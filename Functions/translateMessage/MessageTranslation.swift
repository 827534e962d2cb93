import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import Logging
import RPCStatus

/// Translates one stored message for all its readers.
struct MessageTranslation {
  private let session: ChatSession
  private let translator: Translator

  init(_ session: ChatSession, _ translator: Translator) {
    self.session = session
    self.translator = translator
  }

  /// What the result says about a message.
  struct Report: Encodable {
    struct Failure: Encodable {
      var language: String
      var error: FunctionReply.Failure
    }

    var sourceLang: String
    /// Languages written now.
    var translated: [String] = []
    /// Languages that were there already.
    var present: [String] = []
    var failed: [Failure] = []
    var skippedReaders: [Readers.Skipped] = []
  }

  /// How often the message is read again because somebody wrote it meanwhile: receipts of a large
  /// group come in by dozens. Each time a little later, so that others get their turn.
  private static let maximumConflicts = 50

  /// Reads the message as it is now: an event may be late, and its copy stale.
  ///
  /// The commit asks for the version that was read. A receipt or an edit in between makes it
  /// fail, and the message is read again: a translation never lands on a text it isn't of.
  ///
  /// - Parameter copy: the event's, for what to read beside the message.
  func translate(_ name: DocumentName, copy: Document?) async throws -> FunctionOutcome {
    var answers: Translator.Answers = [:]
    var conflict: StatusError?
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      guard let reading = try await read(name, copy: copy) else {
        return .skipped(reason: "the message is gone")
      }
      let message = reading.message
      let plan: TranslationPlan
      switch reading.decision {
      case .skip(let reason): return .skipped(reason: reason)
      case .translate(let translations): plan = translations
      }
      var report = Report(
        sourceLang: plan.source.code,
        present: plan.present.map(\.code),
        skippedReaders: plan.skippedReaders
      )
      guard !plan.missing.isEmpty else {
        return .skipped(
          reason: plan.present.isEmpty
            ? "no reader needs a translation" : "all translations are there",
          result: report
        )
      }

      let requests = plan.requests(for: message)
      let unanswered = Set(requests).subtracting(answers.keys)
      if !unanswered.isEmpty {
        let new = try await translator.translate(unanswered, known: reading.snapshot)
        answers.merge(new) { _, new in new }
      }
      let writes = writes(for: message, requests: requests, answers: answers)
      do throws(StatusError) {
        try await session.firestore.commit(writes)
      } catch {
        guard error.isConflict else { throw error }
        conflict = error
        // Others wait for what was asked for, whatever becomes of this message.
        answers = try await translator.keep(answers)
        await session.pause(after: attempt)
        continue
      }
      return try outcome(of: requests, answers: answers, report: &report)
    }
    throw StatusError(
      .aborted,
      "the message kept changing: \(conflict?.message ?? "conflict")"
    )
  }

  private struct Reading {
    var message: Message
    var decision: TranslationPlan.Decision
    var snapshot: Snapshot
  }

  /// - Returns: nil if the message doesn't exist.
  private func read(_ name: DocumentName, copy: Document?) async throws(StatusError) -> Reading? {
    let conversationName = try session.conversationName(of: name.path)
    var snapshot = try await session.firestore.snapshot(
      [name, conversationName] + neighbours(of: copy)
    )
    guard let message = snapshot[name].map(Message.init) else { return nil }
    if let refusal = TranslationPlan.refusal(of: message.text) {
      return Reading(
        message: message,
        decision: .skip(reason: refusal.reason),
        snapshot: snapshot
      )
    }
    let conversation = try Conversation(snapshot[conversationName], of: message)
    if conversation.strangeParticipants > 0 {
      session.context.logger.warning(
        "participants that are no user ids are ignored",
        metadata: ["count": "\(conversation.strangeParticipants)"]
      )
    }
    let users = conversation.users(of: message)
    snapshot = try await session.firestore.extended(snapshot, by: session.userNames(users))
    let profiles = try session.profiles(of: users, in: snapshot)
    session.remember(conversation, profiles, as: conversationName)
    let decision = TranslationPlan.decide(
      message: message,
      conversation: conversation,
      profiles: profiles
    )
    return Reading(message: message, decision: decision, snapshot: snapshot)
  }

  /// What else the message will need, if all is as this process last saw it: its readers' profiles
  /// and its translations.
  private func neighbours(of copy: Document?) throws(StatusError) -> [DocumentName] {
    guard let expected = session.expected(copy),
      case .translate(let plan) = TranslationPlan.decide(
        message: expected.message,
        conversation: expected.conversation,
        profiles: expected.profiles
      )
    else { return [] }
    var names = try session.userNames(expected.conversation.users(of: expected.message))
    for request in plan.requests(for: expected.message) {
      names.append(try translator.entry(of: request))
    }
    return names
  }

  /// One write to the message, whatever the number of languages, and those to the cache.
  private func writes(
    for message: Message,
    requests: [Translator.Request],
    answers: Translator.Answers
  ) -> [Write] {
    var edit = MessageEdit(message, now: session.context.sources.now())
    var cacheWrites: [Write] = []
    for request in requests {
      switch answers[request] {
      case .success(let answer):
        edit.add(answer, in: request.target)
        cacheWrites += answer.use
      case .failure(let error):
        edit.add(error, in: request.target)
      case nil: break
      }
    }
    return [edit.write] + cacheWrites
  }

  /// What succeeded is written by now. A transient remainder is the retry's; a permanent one
  /// fails the event only if nothing succeeded.
  private func outcome(
    of requests: [Translator.Request],
    answers: Translator.Answers,
    report: inout Report
  ) throws(StatusError) -> FunctionOutcome {
    var failures: [StatusError] = []
    for request in requests {
      switch answers[request] {
      case .success: report.translated.append(request.target.code)
      case .failure(let error):
        failures.append(error)
        report.failed.append(
          .init(language: request.target.code, error: FunctionReply.Failure(error))
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
}
