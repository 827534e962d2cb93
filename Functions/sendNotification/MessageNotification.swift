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
  private var firestore: FirestoreClient { session.firestore }

  init(_ session: ChatSession) { self.session = session }

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
    let conversationName = try DocumentName(
      database: name.database,
      path: ChatPaths.conversation(of: name.path)
    )
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
      session: session
    )
    async let states = states(of: recipients, profiles: profiles)
    async let newest = newestMessages(of: conversationName)
    let unread = UnreadCounts(newest: try await newest, including: message)

    let pushes = Pushes(
      message: message,
      conversation: conversation,
      sender: profiles[senderID],
      readings: await texts,
      unread: unread,
      ledger: ledger
    )
    let results = await pushes.send(to: try await states, push: session.push)
    return try await finish(
      results,
      ledger: ledger,
      message: message,
      conversation: conversation
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
          let user = try firestore.name("users/\(uid)")
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

  private func newestMessages(
    of conversation: DocumentName
  ) async throws(StatusError) -> [Document] {
    try await firestore.run(UnreadCounts.query(session.paths), below: conversation)
  }

  // MARK: Writing

  /// The ledger first: what it says has happened. Then what a redelivery would do again anyway.
  private func finish(
    _ results: [RecipientResult],
    ledger: NotificationLedger,
    message: Message,
    conversation: Conversation
  ) async throws(StatusError) -> FunctionOutcome {
    let failures = results.flatMap(\.failures)
    let transient = failures.first { ExitCode($0) != .badEvent }
    var writes: [Write] = [
      ledger.write(
        outcomes: results.reduce(into: [:]) { $0.merge($1.outcomes) { _, new in new } },
        isComplete: transient == nil,
        message: message.document.name,
        now: session.context.sources.now()
      )
    ]
    for result in results {
      writes.append(try inboxWrite(result, message: message))
    }
    try await firestore.commit(writes)
    for write in results.flatMap(\.removals) { await removeToken(write) }
    try await updateLastMessage(message, conversation: conversation.document)

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

  private func inboxWrite(
    _ result: RecipientResult,
    message: Message
  ) throws(StatusError) -> Write {
    let conversationID = message.document.name.path.parent.parent.id
    let name = try firestore.name("users/\(result.report.uid)/inbox/\(conversationID)")
    let fields: Fields = [
      "unread": .integer(Int64(result.report.unread)),
      "lastMessageId": .string(message.document.name.id),
    ]
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(fields.keys.sorted().map { FieldPath($0) })
    )
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
  private func updateLastMessage(
    _ message: Message,
    conversation: Document?
  ) async throws(StatusError) {
    var current = conversation
    for _ in 0..<5 {
      guard let document = current, let write = LastMessage.write(for: message, in: document)
      else { return }
      do throws(StatusError) {
        try await firestore.commit([write])
        return
      } catch {
        guard error.code == .failedPrecondition || error.code == .aborted else { throw error }
      }
      current = try await firestore.document(document.name)
    }
    throw StatusError(.aborted, "the conversation kept changing")
  }
}
