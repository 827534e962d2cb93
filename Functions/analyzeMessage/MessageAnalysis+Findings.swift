import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The findings about a message: known ones, and the model's answers for the remaining languages.
extension MessageAnalysis {
  /// The number of earlier messages that the model gets as context.
  private static let contextLength = 20
  /// The maximum number of retries after a conflicting write.
  private static let maximumConflicts = 50

  private typealias Replies = [Language: Reply]

  /// The outcome of a request to the model.
  private enum Reply {
    case finding(AnalysisRecord.Finding)
    case declined
    /// An answer that can't be used; such answers are counted.
    case unusable(StatusError)
    /// A failure of the provider or of this function.
    case failed(StatusError)
  }

  /// Returns all findings, after asking the model for the unknown ones and storing its answers.
  ///
  /// If another invocation is asking the model about a language, this one waits for its answer.
  ///
  /// - Returns: The findings, and whether the model was asked.
  func findings(
    for languages: [Language],
    message: Message,
    conversation: Conversation,
    profiles: [String: UserProfile],
    plan: AnalysisPlan
  ) async throws(StatusError) -> (findings: Findings, isNew: Bool) {
    let subject = Subject(message: message, languages: languages, recipient: plan.recipient)
    var settled: Findings = [:]
    var isNew = false
    var polling = session.leases.polling(until: session.waitDeadline)
    // Usually no other invocation works on the message, so leases are read only in later rounds.
    var reading = try await read(subject, leases: [])
    while true {
      let (known, unknown) = try known(for: languages, in: reading.record)
      let open = unknown.keys.filter { settled[$0] == nil }
      let new = known.keys.filter { settled[$0] == nil }
      let count = new.count { (try? known[$0]?.get()) != nil }
      session.context.record.record { $0.cacheHits += count }
      settled.merge(known) { asked, _ in asked }
      guard !open.isEmpty else { return (settled, isNew) }

      var leases: [Language: DocumentName] = [:]
      for language in open {
        let key = AnalysisRecord.leaseKey(of: message.document.name, language)
        leases[language] = try session.leases.name(key)
      }
      let free = leases.filter { session.leases.timeLeft(of: $1, in: reading.snapshot) == nil }
      if !free.isEmpty,
        let held = try await session.leases.acquire(
          Array(free.values),
          ifUnchanged: AnalysisRecord.names(of: message.document.name, languages: languages),
          since: reading.snapshot,
          // A model may take longer than one lease lasts.
          times: 2
        )
      {
        isNew = true
        session.context.record.record { $0.cacheMisses += free.count }
        do throws(StatusError) {
          let replies = try await ask(
            Array(free.keys),
            message,
            conversation,
            profiles,
            plan.source
          )
          let findings = try await keep(replies, of: subject, ending: free.mapValues { held[$0] })
          settled.merge(findings) { _, new in new }
        } catch {
          await session.leases.release(Array(held.values))
          throw error
        }
        guard open.count > free.count else { return (settled, isNew) }
      }
      guard await polling.pause() else { throw StatusError.modelIsBeingAsked }
      reading = try await read(subject, leases: Array(leases.values))
    }
  }

  /// Stores the model's answers, and releases the leases.
  private func keep(
    _ replies: Replies,
    of subject: Subject,
    ending leases: [Language: Lease?]
  ) async throws(StatusError) -> Findings {
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      // The model may have taken long, so the stored findings and the message are read again.
      let reading = try await read(subject, leases: [])
      let record = reading.record
      var (findings, open) = try known(for: Array(replies.keys), in: record)
      var new: [Language: AnalysisRecord.Knowledge] = [:]
      for (language, failures) in open {
        switch replies[language] {
        case .finding(let finding):
          new[language] = .finding(finding)
          findings[language] = .success(finding)
        case .declined:
          new[language] = .declined
          findings[language] = .failure(.modelDeclined)
        case .unusable(let error):
          new[language] = .failures(failures + 1)
          findings[language] = .failure(error)
        case .failed(let error): findings[language] = .failure(error)
        case nil: break
        }
      }
      let writes = try record.writes(new)
      let held = leases.values.compactMap(\.self)
      guard !writes.isEmpty else {
        await session.leases.release(held)
        return findings
      }
      do throws(StatusError) {
        let message = subject.message.document.name
        // The precondition keeps findings about an edited or deleted text from being stored.
        let check = Write(
          .verify(message),
          currentDocument: reading.snapshot.precondition(of: message)
        )
        try await session.firestore.commit(writes + [check] + held.map(\.end))
        return findings
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    throw StatusError(
      .aborted,
      "the message or its analysis changed at each attempt to store the model's answer"
    )
  }

  /// Returns the findings that need no request to the model.
  ///
  /// For each of the other languages, `open` has the number of unusable answers so far.
  private func known(
    for languages: [Language],
    in record: AnalysisRecord
  ) throws(StatusError) -> (findings: Findings, open: [Language: Int]) {
    var findings: Findings = [:]
    var open: [Language: Int] = [:]
    for language in languages {
      switch try record.knowledge(for: language) {
      case .finding(let finding): findings[language] = .success(finding)
      case .declined: findings[language] = .failure(.modelDeclined)
      case .failures(let count) where count >= AnalysisRecord.maximumFailures:
        findings[language] = .failure(
          StatusError(
            .failedPrecondition,
            "the language model gave no usable answer \(count) times; it is asked again tomorrow"
          )
        )
      case .failures(let count):
        do throws(StatusError) {
          // The model isn't asked for a finding that couldn't be stored.
          try record.place(for: language)
          open[language] = count
        } catch {
          findings[language] = .failure(error)
        }
      }
    }
    return (findings, open)
  }

  /// The message and languages to analyze.
  private struct Subject {
    var message: Message
    var languages: [Language]
    /// The language of the analysis in `aiAnalysis/{messageId}`, or `nil` in a group.
    var recipient: Language?
  }

  private struct Reading {
    var record: AnalysisRecord
    var snapshot: Snapshot
  }

  /// Reads a message's stored findings and the leases on them.
  ///
  /// - Throws: `ABORTED` if the message was edited, and `NOT_FOUND` if it was deleted, because the
  ///   findings would be about another text.
  private func read(
    _ subject: Subject,
    leases: [DocumentName]
  ) async throws(StatusError) -> Reading {
    let name = subject.message.document.name
    let names = try AnalysisRecord.names(of: name, languages: subject.languages)
    let snapshot = try await session.firestore.snapshot(names + [name] + leases)
    guard let current = snapshot[name].map(Message.init) else {
      throw StatusError(.notFound, "the message no longer exists")
    }
    guard current.text == subject.message.text else {
      throw StatusError(.aborted, "the message was edited meanwhile")
    }
    let record = AnalysisRecord(
      of: subject.message,
      recipient: subject.recipient,
      documents: snapshot.documents,
      now: snapshot.readTime
    )
    return Reading(record: record, snapshot: snapshot)
  }

  /// Asks the model once for each language, concurrently.
  private func ask(
    _ languages: [Language],
    _ message: Message,
    _ conversation: Conversation,
    _ profiles: [String: UserProfile],
    _ source: Language
  ) async throws(StatusError) -> Replies {
    let before = try await session.newestMessages(
      Self.contextLength + 1,
      in: session.conversationName(of: message.document.name.path),
      // One analysis is for all readers, so the context has only messages that all of them can see.
      from: conversation.historyStart(forReadersOf: message),
      upTo: message.timestamp
    ).filter { $0.document.name != message.document.name && conversation.includes($0) }
    // Former members' messages need their authors' consent, too.
    let strangers = before.compactMap(\.senderID).filter { profiles[$0] == nil }
    let senders = try await session.profiles(of: strangers)
    let everybody = profiles.merging(senders) { known, _ in known }
    let aliases = Aliases(in: conversation, messages: before + [message], profiles: everybody)
    let window = ConversationWindow(before, aliases: aliases, profiles: everybody)
    let alias = message.senderID.flatMap { aliases[$0] } ?? "P0"
    return await withTaskGroup(of: (Language, Reply).self) { group in
      for language in languages {
        group.addTask {
          // The reply has its own variable: if the returned pair contains the call itself, Swift
          // 6.3's optimizer may lose half of the pair.
          let reply: Reply
          do throws(StatusError) {
            let prompt = try AnalysisPrompt.prompt(
              text: message.text,
              from: alias,
              in: source,
              after: window,
              for: language
            )
            let check = AnalysisCheck(
              prompt,
              text: message.text,
              after: window,
              reader: language
            )
            reply = try await ask(prompt, check)
          } catch {
            reply = .failed(error)
          }
          return (language, reply)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func ask(
    _ prompt: Prompt,
    _ check: AnalysisCheck
  ) async throws(StatusError) -> Reply {
    let outcome = try await model.answer(prompt, as: Analysis.self, problem: check.problem)
    switch outcome {
    case .answer(let analysis, let engine):
      return .finding(.init(analysis: check.settled(analysis), engine: engine))
    case .declined: return .declined
    case .unusable(let reason): return .unusable(.unusableAnswer(reason))
    case .unavailable(let error): return .failed(error)
    }
  }
}
