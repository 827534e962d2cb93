import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import JSONCoding
import Logging
import Providers
import RPCStatus

/// Notifies all members of a conversation of one message.
struct MessageNotification {
  private let session: ChatSession
  private let translator: Translator
  private let push: PushClient
  private var firestore: FirestoreClient { session.firestore }

  init(_ session: ChatSession, translator: Translator, push: PushClient) {
    self.session = session
    self.translator = translator
    self.push = push
  }

  struct Report: Encodable {
    var recipients: [RecipientReport]
  }

  struct RecipientReport: Encodable {
    var uid: String
    var language: String?
    var engine: String?
    var unread: Int
    /// Devices rung now.
    var sent = 0
    /// Devices that an earlier delivery of this event had rung.
    var alreadySent = 0
    /// Devices FCM doesn't know any more; their tokens are forgotten.
    var unregistered = 0
    var failed = 0
    /// Why there is no push, or why it is not in the reader's language.
    var reason: String?
  }

  func notify(of name: DocumentName) async throws -> FunctionOutcome {
    let conversationName = try session.conversationName(of: name.path)
    let ledgerName = try firestore.name(NotificationLedger.path(of: name))
    let documents = try await firestore.documents([name, conversationName, ledgerName])
    guard let message = documents[name].map(Message.init) else {
      return .skipped(reason: "the message is gone")
    }
    guard let senderID = message.senderID else {
      return .skipped(reason: "the message has no senderId")
    }
    guard message.hasText || message.hasMedia else {
      return .skipped(reason: "the message has no text")
    }
    let ledger = NotificationLedger(name: ledgerName, document: documents[ledgerName])
    guard !ledger.isComplete else {
      return .skipped(reason: "every device has been notified already")
    }
    let conversation = try Conversation(documents[conversationName], of: message)
    let recipients = conversation.participants.filter { $0 != senderID }
    guard !recipients.isEmpty else {
      return .skipped(reason: "there is nobody but the sender")
    }

    let profiles = try await session.profiles(of: recipients + [senderID])
    async let texts = Readings(
      of: message,
      in: conversation,
      profiles: profiles,
      translator: translator,
      session: session
    )
    let (states, newest) = try await updateInboxes(
      of: recipients,
      profiles: profiles,
      message: message
    )
    let pushes = Pushes(
      message: message,
      conversation: conversation,
      sender: profiles[senderID],
      readings: await texts,
      newest: newest,
      ledger: ledger
    )
    let results = await pushes.send(to: states, push: push)
    return try await finish(
      results,
      newest: newest,
      ledger: ledger,
      message: message,
      conversation: conversation.document
    )
  }

  // MARK: Reading

  private func states(
    of recipients: [String],
    profiles: [String: UserProfile]
  ) async throws -> [RecipientState] {
    try await withThrowingTaskGroup(of: RecipientState.self) { group in
      for uid in recipients {
        group.addTask {
          let user = try session.userName(uid)
          async let devices = firestore.run(StructuredQuery(from: "devices"), below: user)
          async let inbox = firestore.run(StructuredQuery(from: "inbox"), below: user)
          return RecipientState(
            name: user,
            profile: profiles[uid],
            devices: Devices(documents: try await devices, profile: profiles[uid]),
            inbox: try await inbox
          )
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.uid < $1.uid }
    }
  }

  /// Reads where recipients can be reached, counts what they haven't seen, and writes it down,
  /// all of it again while other messages arrive.
  private func updateInboxes(
    of recipients: [String],
    profiles: [String: UserProfile],
    message: Message
  ) async throws -> ([RecipientState], NewestMessages) {
    let path = ChatPaths.conversation(of: message.document.name.path)
    let conversation = try DocumentName(database: message.document.name.database, path: path)
    for _ in 0..<Self.maximumConflicts {
      let states = try await states(of: recipients, profiles: profiles)
      let found = try await firestore.run(
        NewestMessages.query(session.paths),
        below: conversation
      )
      let newest = NewestMessages(found, including: message)
      var writes: [Write] = []
      for state in states {
        if let write = try state.inboxWrite(newest, in: path.id) { writes.append(write) }
      }
      if writes.isEmpty { return (states, newest) }
      do throws(StatusError) {
        try await firestore.commit(writes)
        return (states, newest)
      } catch {
        guard error.isConflict else { throw error }
      }
    }
    throw StatusError(.aborted, "the recipients' inboxes kept changing")
  }

  // MARK: Writing

  /// First what has happened, so that no device rings twice; then the rest; and last that nothing
  /// is left to do. A redelivery does what an earlier one didn't come to.
  private func finish(
    _ results: [RecipientResult],
    newest: NewestMessages,
    ledger: NotificationLedger,
    message: Message,
    conversation: Document?
  ) async throws(StatusError) -> FunctionOutcome {
    let name = message.document.name
    let outcomes = results.reduce(into: [:]) { $0.merge($1.outcomes) { _, new in new } }
    if !outcomes.isEmpty {
      let now = session.context.sources.now()
      try await firestore.commit([
        ledger.write(outcomes: outcomes, message: name, now: now)
      ])
    }
    for write in results.flatMap(\.removals) { await removeToken(write) }
    let failures = results.flatMap(\.failures)
    let transient = failures.first { ExitCode($0) != .badEvent }
    try await updateLastMessage(
      newest,
      conversation: conversation,
      completing: transient == nil
        ? ledger.completion(message: name, now: session.context.sources.now()) : nil
    )

    let reports = results.map(\.report)
    session.context.logger.info(
      "notified",
      metadata: [
        "recipients": "\(reports.count)", "sent": "\(reports.reduce(0) { $0 + $1.sent })",
      ]
    )
    if let transient { throw transient }
    return .done(Report(recipients: reports))
  }

  /// A document that changed meanwhile holds a newer token: then there is nothing to forget.
  private func removeToken(_ write: Write) async {
    do throws(StatusError) {
      try await firestore.commit([write])
    } catch {
      session.context.logger.notice(
        "a dead token was not removed",
        metadata: ["code": "\(error.code.rawValue)"]
      )
    }
  }

  /// Reads the conversation again while others write it; a later message always wins.
  ///
  /// - Parameter completion: committed together with it, or alone if there is nothing to move.
  private func updateLastMessage(
    _ newest: NewestMessages,
    conversation: Document?,
    completing completion: Write?
  ) async throws(StatusError) {
    var current = conversation
    for _ in 0..<Self.maximumConflicts {
      let move = current.flatMap { LastMessage.write(for: newest, in: $0) }
      let writes = [move, completion].compactMap(\.self)
      guard !writes.isEmpty else { return }
      do throws(StatusError) {
        try await firestore.commit(writes)
        return
      } catch {
        guard error.isConflict, let name = current?.name else { throw error }
        current = try await firestore.document(name)
      }
    }
    throw StatusError(.aborted, "the conversation kept changing")
  }

  /// How often documents are read again because somebody wrote them meanwhile.
  private static let maximumConflicts = 5
}
