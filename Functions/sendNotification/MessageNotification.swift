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
      let newest = try await newestMessages(of: conversation, for: recipients, including: message)
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
