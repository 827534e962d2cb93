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
    /// The number on the app's icon, where it was told silently.
    var badge: Int?
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

  /// - Parameter copy: the message as it was created: it tells what to read beside the message, and
  ///   which translations its client has written.
  func notify(of name: DocumentName, copy: Document?) async throws -> FunctionOutcome {
    let conversationName = try session.conversationName(of: name.path)
    let expected = try copy.map { try [Names(of: Message($0), session).ledger] } ?? []
    var snapshot = try await firestore.snapshot(
      [name, conversationName] + expected + neighbours(of: copy)
    )
    guard let document = snapshot[name] else { return Self.isGone }
    let message = Message(document).distrusting(copy)
    guard let senderID = message.senderID else {
      return .skipped(reason: "the message has no senderId")
    }
    guard message.hasText || message.hasMedia else {
      return .skipped(reason: "the message has no text")
    }
    var names = try Names(of: message, session)
    snapshot = try await firestore.extended(snapshot, by: [names.ledger])
    let conversation = try Conversation(snapshot[conversationName], of: message)
    let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
    if ledger.isComplete {
      guard ledger.isOfAnother(than: name) else { return Self.alreadyDone }
      guard ledger.isOfFormer(at: snapshot.readTime) else {
        return try await countCopy(message)
      }
      var message = message
      message.clientID = nil
      names = try Names(of: message, session)
      snapshot = try await firestore.extended(snapshot, by: [names.ledger])
      let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
      guard !ledger.isComplete else { return Self.alreadyDone }
    }
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

    let readers = Readers(
      message: message,
      conversation: conversation,
      recipients: recipients,
      profiles: profiles
    )
    guard var inboxes = try await readInboxes(of: readers) else { return Self.isGone }
    // Unread counts don't wait for a provider; where none has to be asked, one commit writes them
    // and takes the turn.
    let isCached = try translator.needsNoProvider(
      for: Set(originals.requests.values),
      in: known
    )
    var turn: Turn?
    if isCached, inboxes.writes.count <= WriteChunks.size {
      _ = await texts
      turn = try await self.turn(to: names, since: known, writing: inboxes.writes)
    }
    if turn == nil {
      guard let written = try await write(inboxes, of: readers) else { return Self.isGone }
      inboxes = written
      _ = await texts
      turn = try await waitForTurn(to: names, since: isCached ? nil : known)
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
      conversation: conversation
    )
  }

  private static var isGone: FunctionOutcome { .skipped(reason: "the message is gone") }

  /// A message that its sender has sent again, under another document's name: it rings no second time.
  private func countCopy(_ message: Message) async throws -> FunctionOutcome {
    _ = try await MessageChange(session, push: push).count(MessageChange.Concern(ofCopy: message))
    return .skipped(reason: "its readers were notified of the same message before")
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

  /// Whom a message is for.
  private struct Readers {
    var message: Message
    var conversation: Conversation
    var recipients: [String]
    var profiles: [String: UserProfile]
  }

  /// How many readers are looked up at once: two requests each.
  private static let maximumReaders = 50

  private func states(of readers: Readers) async throws(StatusError) -> [RecipientState] {
    try await readers.recipients.sorted().concurrently(
      atMost: Self.maximumReaders
    ) { uid throws(StatusError) in
      let user = try session.userName(uid)
      let found = try await ["devices", "inbox"].concurrently(
        atMost: 2
      ) { collection throws(StatusError) in
        try await firestore.run(StructuredQuery(from: collection), below: user)
      }
      return RecipientState(
        name: user,
        profile: readers.profiles[uid],
        devices: Devices(documents: found[0], profile: readers.profiles[uid]),
        inbox: found[1]
      )
    }
  }

  /// Where the recipients can be reached, and what they haven't seen.
  private struct Inboxes {
    var recipients: [RecipientState]
    var newest: NewestMessages
    /// What writes it down.
    var writes: [Write]
  }

  /// - Returns: nil if the message is gone.
  private func readInboxes(of readers: Readers) async throws(StatusError) -> Inboxes? {
    let name = try session.conversationName(of: readers.message.document.name.path)
    // In this order: of two deliveries, the one that looked at the messages later writes last.
    let states = try await states(of: readers)
    let newest = try await session.newestMessages(
      of: name,
      for: readers.recipients,
      in: readers.conversation,
      including: readers.message
    )
    guard !newest.lacks(readers.message) else { return nil }
    var writes: [Write] = []
    for state in states {
      let count = try state.count(newest, in: readers.conversation, name.id)
      writes += [count.write()].compactMap(\.self)
    }
    return Inboxes(recipients: states, newest: newest, writes: writes)
  }

  /// Writes down what recipients haven't seen; while other messages arrive, all of it is read again.
  ///
  /// - Returns: nil if the message is gone.
  private func write(
    _ inboxes: Inboxes,
    of readers: Readers
  ) async throws(StatusError) -> Inboxes? {
    var inboxes = inboxes
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      do throws(StatusError) {
        for chunk in WriteChunks(inboxes.writes) { try await firestore.commit(chunk) }
        return inboxes
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
      guard let read = try await readInboxes(of: readers) else { return nil }
      inboxes = read
    }
    throw StatusError(.aborted, "the recipients' inboxes kept changing")
  }

  /// How often documents are read again because somebody wrote them meanwhile: a busy conversation
  /// is written by every message. Each time a little later, so that others get their turn.
  static let maximumConflicts = 50
}
