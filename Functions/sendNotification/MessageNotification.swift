import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import JSONCoding
import Leases
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
    let snapshot = try await firestore.snapshot([name, conversationName, ledgerName])
    guard let message = snapshot[name].map(Message.init) else {
      return .skipped(reason: "the message is gone")
    }
    guard let senderID = message.senderID else {
      return .skipped(reason: "the message has no senderId")
    }
    guard message.hasText || message.hasMedia else {
      return .skipped(reason: "the message has no text")
    }
    guard !NotificationLedger(name: ledgerName, document: snapshot[ledgerName]).isComplete else {
      return Self.alreadyDone
    }
    let conversation = try Conversation(snapshot[conversationName], of: message)
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
    let readings = await texts
    guard let turn = try await turn(to: name, ledgerName, since: snapshot) else {
      return Self.alreadyDone
    }
    let pushes = Pushes(
      of: message,
      in: conversation,
      from: profiles[senderID],
      to: states,
      readings: readings,
      newest: newest,
      ledger: turn.ledger
    )
    return try await send(
      pushes,
      turn: turn,
      newest: newest,
      message: name,
      conversation: conversation.document
    )
  }

  private static var alreadyDone: FunctionOutcome {
    .skipped(reason: "every device has been notified already")
  }

  // MARK: One at a time

  /// What one delivery has while it rings, and no other.
  private struct Turn {
    var lease: Lease
    /// As it is under the lease.
    var ledger: NotificationLedger
  }

  /// Waits until no other delivery of this message rings: it may have been killed, and there may be
  /// something left to do.
  ///
  /// - Returns: nil if another has done all there is.
  /// - Throws: `UNAVAILABLE` if the other one is still at it when the time is up.
  private func turn(
    to message: DocumentName,
    _ ledgerName: DocumentName,
    since snapshot: Snapshot
  ) async throws(StatusError) -> Turn? {
    let name = try session.leases.name(NotificationLedger.key(of: message))
    var snapshot = snapshot
    var polling = session.leases.polling(until: session.patience)
    while true {
      let ledger = NotificationLedger(name: ledgerName, document: snapshot[ledgerName])
      guard !ledger.isComplete else { return nil }
      let timeLeft = session.leases.timeLeft(of: name, in: snapshot)
      if timeLeft == nil,
        let lease = try await session.leases.acquire(
          [name],
          ifUnchanged: [ledgerName],
          since: snapshot
        )?[name]
      {
        return Turn(lease: lease, ledger: ledger)
      }
      guard await polling.pause() else {
        throw StatusError(
          .unavailable,
          "another delivery of this message is still notifying its readers",
          retryAfter: timeLeft
        )
      }
      snapshot = try await firestore.snapshot([ledgerName, name])
    }
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
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
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
        await session.pause(after: attempt)
      }
    }
    throw StatusError(.aborted, "the recipients' inboxes kept changing")
  }

  // MARK: Ringing

  /// Sends part by part and writes down what has happened after each, so that no device rings twice.
  /// Then the rest; and with the last commit, that nothing is left to do. A redelivery does what an
  /// earlier one didn't come to.
  private func send(
    _ pushes: Pushes,
    turn: Turn,
    newest: NewestMessages,
    message: DocumentName,
    conversation: Document?
  ) async throws(StatusError) -> FunctionOutcome {
    var (pushes, turn) = (pushes, turn)
    var outcomes = await pushes.sendPart(push, until: turn.lease.deadline)
    while !pushes.isEmpty {
      try await write(outcomes, of: message, extending: &turn)
      outcomes = await pushes.sendPart(push, until: turn.lease.deadline)
    }
    let results = pushes.results
    let removals = results.flatMap(\.removals)
    if !removals.isEmpty {
      try await write(outcomes, of: message, extending: &turn)
      outcomes = [:]
      for write in removals { await removeToken(write) }
    }
    let transient = results.flatMap(\.failures).first { ExitCode($0) != .badEvent }
    try await finish(
      turn,
      of: message,
      outcomes: outcomes,
      isComplete: transient == nil,
      newest: newest,
      conversation: conversation
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

  /// Writes down what has happened while there is more to do.
  ///
  /// - Throws: `ABORTED` if another delivery has the lease now.
  private func write(
    _ outcomes: [String: String],
    of message: DocumentName,
    extending turn: inout Turn
  ) async throws(StatusError) {
    let write = turn.ledger.write(
      outcomes: outcomes,
      isComplete: false,
      message: message,
      now: turn.lease.clock.time
    )
    let writes = [write].compactMap(\.self)
    if let lease = try await session.leases.commit(writes, extending: turn.lease) {
      turn.lease = lease
      return
    }
    // They rang, whoever has the lease.
    if !writes.isEmpty { try await firestore.commit(writes) }
    throw StatusError(.aborted, "another delivery took over notifying this message's readers")
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

  /// Writes down the last that has happened, moves the conversation's last message forward, and gives
  /// the lease back: in one commit, unless somebody else has just written the conversation. It is
  /// then read again; a later message always wins.
  private func finish(
    _ turn: Turn,
    of message: DocumentName,
    outcomes: [String: String],
    isComplete: Bool,
    newest: NewestMessages,
    conversation: Document?
  ) async throws(StatusError) {
    func entry(isComplete: Bool) -> Write? {
      turn.ledger.write(
        outcomes: outcomes,
        isComplete: isComplete,
        message: message,
        now: turn.lease.clock.time
      )
    }
    func last(in conversation: Document?) -> [Write] {
      let move = conversation.flatMap { LastMessage.write(for: newest, in: $0) }
      return [entry(isComplete: isComplete), move].compactMap(\.self)
    }
    do throws(StatusError) {
      try await firestore.commit(last(in: conversation) + [turn.lease.release])
      return
    } catch {
      guard error.isConflict else { throw error }
    }
    if let entry = entry(isComplete: false) { try await firestore.commit([entry]) }
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      var current = conversation
      if let name = conversation?.name { current = try await firestore.document(name) }
      do throws(StatusError) {
        let writes = last(in: current)
        if !writes.isEmpty { try await firestore.commit(writes) }
        await session.leases.release([turn.lease])
        return
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    await session.leases.release([turn.lease])
    throw StatusError(.aborted, "the conversation kept changing")
  }

  /// How often documents are read again because somebody wrote them meanwhile: a busy conversation
  /// is written by every message. Each time a little later, so that others get their turn.
  private static let maximumConflicts = 50
}
