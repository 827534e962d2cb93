import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import JSONCoding
import Providers
import RPCStatus

/// Notifies all members of a conversation of one message.
struct MessageNotification {
  let session: ChatSession
  private let translator: Translator
  let push: PushClient
  var firestore: FirestoreClient { session.firestore }

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

  /// - Parameter copy: the event's, for what to read beside the message.
  func notify(of name: DocumentName, copy: Document?) async throws -> FunctionOutcome {
    let conversationName = try session.conversationName(of: name.path)
    let ledgerName = try firestore.name(NotificationLedger.path(of: name))
    var snapshot = try await firestore.snapshot(
      [name, conversationName, ledgerName] + neighbours(of: copy)
    )
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

    let users = conversation.users(of: message)
    snapshot = try await firestore.extended(snapshot, by: session.userNames(users))
    let profiles = try session.profiles(of: users, in: snapshot)
    session.remember(conversation, profiles, as: conversationName)
    let originals = Readings(
      of: message,
      in: conversation,
      profiles: profiles,
      mayBeOffline: translator.mayBeOffline
    )
    let entries = try entries(of: originals)
    let known = try await firestore.extended(snapshot, by: entries)
    async let texts = originals.translated(by: translator, known: known, session: session)

    var inboxes = try await readInboxes(of: recipients, profiles: profiles, message: message)
    // Unread counts don't wait for a provider; where none has to be asked, one commit writes them
    // and takes the turn.
    let isCached = try translator.needsNoProvider(
      for: Set(originals.requests.values),
      in: known
    )
    var turn: Turn?
    if isCached {
      _ = await texts
      turn = try await self.turn(to: name, ledgerName, since: known, writing: inboxes.writes)
    }
    if turn == nil {
      inboxes = try await write(inboxes, of: recipients, profiles: profiles, message: message)
      _ = await texts
      turn = try await waitForTurn(to: name, ledgerName, since: isCached ? nil : known)
    }
    guard let turn else { return Self.alreadyDone }
    let pushes = Pushes(
      of: message,
      in: conversation,
      from: profiles[senderID],
      to: inboxes.recipients,
      readings: await texts,
      newest: inboxes.newest,
      ledger: turn.ledger
    )
    return try await send(
      pushes,
      turn: turn,
      newest: inboxes.newest,
      message: name,
      conversation: conversation.document
    )
  }

  private static var alreadyDone: FunctionOutcome {
    .skipped(reason: "every device has been notified already")
  }

  // MARK: Reading

  /// What else the message will need, if all is as this process last saw it: its readers' profiles
  /// and its translations.
  private func neighbours(of copy: Document?) throws(StatusError) -> [DocumentName] {
    guard let expected = session.expected(copy),
      expected.message.hasText || expected.message.hasMedia
    else { return [] }
    let users = expected.conversation.users(of: expected.message)
    let readings = Readings(
      of: expected.message,
      in: expected.conversation,
      profiles: expected.profiles,
      mayBeOffline: translator.mayBeOffline
    )
    return try session.userNames(users) + entries(of: readings)
  }

  private func entries(of readings: Readings) throws(StatusError) -> [DocumentName] {
    var names: [DocumentName] = []
    for request in Set(readings.requests.values) { names.append(try translator.entry(of: request)) }
    return names
  }

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

  /// Where the recipients can be reached, and what they haven't seen.
  private struct Inboxes {
    var recipients: [RecipientState]
    var newest: NewestMessages
    /// What writes it down.
    var writes: [Write]
  }

  private func readInboxes(
    of recipients: [String],
    profiles: [String: UserProfile],
    message: Message
  ) async throws -> Inboxes {
    let conversation = try session.conversationName(of: message.document.name.path)
    // In this order: of two deliveries, the one that looked at the messages later writes last.
    let states = try await states(of: recipients, profiles: profiles)
    let newest = try await newestMessages(of: conversation, for: recipients, including: message)
    return Inboxes(
      recipients: states,
      newest: newest,
      writes: try states.compactMap { try $0.inboxWrite(newest, in: conversation.id) }
    )
  }

  /// Writes down what recipients haven't seen; while other messages arrive, all of it is read again.
  private func write(
    _ inboxes: Inboxes,
    of recipients: [String],
    profiles: [String: UserProfile],
    message: Message
  ) async throws -> Inboxes {
    var inboxes = inboxes
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      if inboxes.writes.isEmpty { return inboxes }
      do throws(StatusError) {
        try await firestore.commit(inboxes.writes)
        return inboxes
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
      inboxes = try await readInboxes(of: recipients, profiles: profiles, message: message)
    }
    throw StatusError(.aborted, "the recipients' inboxes kept changing")
  }

  private func newestMessages(
    of conversation: DocumentName,
    for readers: [String],
    including message: Message
  ) async throws -> NewestMessages {
    var found = try await firestore.run(NewestMessages.query(session.paths), below: conversation)
    if let oldest = found.last, !NewestMessages.suffices(found, for: readers) {
      found += try await firestore.run(
        NewestMessages.query(session.paths, after: oldest),
        below: conversation
      )
    }
    return NewestMessages(found, including: message)
  }

  /// How often documents are read again because somebody wrote them meanwhile: a busy conversation
  /// is written by every message. Each time a little later, so that others get their turn.
  static let maximumConflicts = 50
}
