import Chat
import FirestoreModel
import FunctionRuntime
import Providers
import RPCStatus

/// What was read about a recipient.
struct RecipientState {
  /// The profile's name, whether there is a profile or not.
  var name: DocumentName
  var profile: UserProfile?
  var devices: Devices
  /// The unread counts of all the recipient's conversations.
  var inbox: [Document]

  var uid: String { name.id }

  /// The write that keeps what the reader hasn't seen of a conversation; nil if it is so already.
  ///
  /// It asks for the version that was read before the messages were: of two deliveries, the one
  /// that looked later writes last.
  func inboxWrite(
    _ newest: NewestMessages,
    in conversationID: String
  ) throws(StatusError) -> Write? {
    let name = try DocumentName(
      database: name.database,
      path: name.path.appending("inbox").appending(conversationID)
    )
    var fields: Fields = ["unread": .integer(Int64(newest.unread(by: uid)))]
    if let last = newest.last { fields["lastMessageId"] = .string(last.document.name.id) }
    let known = inbox.first { $0.name == name }
    if let known, fields.allSatisfy({ known.fields[$0] == $1 }) { return nil }
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(fields.keys.sorted().map { FieldPath($0) }),
      currentDocument: known?.updateTime.map(Precondition.updateTime) ?? .exists(false)
    )
  }

  /// The sum over the reader's conversations, the given one as it is counted now. No conversation
  /// counts for more than is ever counted.
  func badge(unread: Int, in conversationID: String) -> Int {
    inbox.filter { $0.name.id != conversationID }
      .reduce(unread) { sum, conversation in
        let count = conversation.fields["unread"]?.integerValue ?? 0
        return sum + min(max(0, Int(clamping: count)), NewestMessages.window)
      }
  }
}

/// What became of a recipient's devices.
struct RecipientResult {
  var report: MessageNotification.RecipientReport
  var removals: [Write] = []
  /// Why tokens are forgotten.
  var deadTokens: [PushClient.DeadToken] = []
  var failures: [StatusError] = []
}

extension [RecipientResult] {
  /// What is left to do; nil if that is nothing. A device that a redelivery may reach outweighs what
  /// somebody has to mend first, and that what nobody can.
  var remainder: StatusError? {
    let failures = flatMap(\.failures)
    let passing = failures.filter { ExitCode($0) == .tryAgain }
    return passing.max { ($0.retryAfter ?? .zero) < ($1.retryAfter ?? .zero) }
      ?? failures.first { ExitCode($0) == .configuration }
      ?? failures.first { ExitCode($0) != .badEvent }
  }
}

/// The pushes of one message, sent part by part.
struct Pushes {
  /// One that is not sent yet.
  private struct Push {
    /// An index of `results`.
    var recipient: Int
    var device: Devices.Device
    var message: PushMessage
  }

  /// How many are sent at once, before the ledger is written: a process that is killed then has to
  /// ring so many again.
  static let partSize = 100

  /// By recipient, in the order of their ids: what became of the parts so far.
  private(set) var results: [RecipientResult] = []
  private var pending: [Push] = []

  /// Whether there is no other part.
  var isEmpty: Bool { pending.isEmpty }

  /// Decides what is to be sent: one push to each device that the ledger doesn't have.
  init(
    of message: Message,
    in conversation: Conversation,
    from sender: UserProfile?,
    to recipients: [RecipientState],
    readings: Readings,
    newest: NewestMessages,
    ledger: NotificationLedger
  ) {
    let conversationID = ChatPaths.conversation(of: message.document.name.path).id
    // Two accounts on one phone: it rings once.
    var tokens: Set<String> = []
    for recipient in recipients.sorted(by: { $0.uid < $1.uid }) {
      let reading = readings.reading(for: recipient.uid)
      var report = MessageNotification.RecipientReport(
        uid: recipient.uid,
        language: reading?.language,
        engine: reading?.engine,
        unread: newest.unread(by: recipient.uid),
        reason: reading?.reason
      )
      defer { results.append(RecipientResult(report: report)) }
      guard let reading, !conversation.muted.contains(recipient.uid) else {
        report.reason = "muted"
        continue
      }
      if recipient.devices.all.isEmpty { report.reason = "no device" }
      let badge = recipient.badge(unread: report.unread, in: conversationID)
      let content = NotificationContent(
        text: reading.text,
        conversation: conversation,
        sender: sender
      )
      for device in recipient.devices.all {
        guard !ledger.contains(device.token), tokens.insert(device.token).inserted else {
          report.alreadySent += 1
          continue
        }
        pending.append(
          Push(
            recipient: results.count,
            device: device,
            message: Self.push(content, of: message, badge: badge, token: device.token)
          )
        )
      }
    }
  }

  /// Sends the next part, all at once.
  ///
  /// - Returns: by token, what the ledger is to keep.
  mutating func sendPart(
    _ client: PushClient,
    until deadline: ContinuousClock.Instant
  ) async -> [String: String] {
    let part = pending.prefix(Self.partSize)
    pending.removeFirst(part.count)
    typealias Outcome = Result<PushClient.Outcome, StatusError>
    let outcomes = await withTaskGroup(of: (Int, Outcome).self) { group in
      for (index, push) in zip(part.indices, part) {
        group.addTask {
          // The pair is made outside: optimized code of Swift 6.3 loses its number in there.
          let outcome: Outcome
          do throws(StatusError) {
            outcome = .success(try await client.send(push.message, deadline: deadline))
          } catch {
            outcome = .failure(error)
          }
          return (index, outcome)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var kept: [String: String] = [:]
    for (index, push) in zip(part.indices, part) {
      switch outcomes[index] {
      case .success(.sent):
        results[push.recipient].report.sent += 1
        kept[push.device.token] = "sent"
      case .success(.dead(let reason)):
        results[push.recipient].report.unregistered += 1
        results[push.recipient].removals += push.device.removals
        results[push.recipient].deadTokens.append(reason)
        kept[push.device.token] = reason.rawValue
      case .failure(let error):
        results[push.recipient].report.failed += 1
        results[push.recipient].failures.append(error)
      case nil: break
      }
    }
    return kept
  }

  private static func push(
    _ content: NotificationContent,
    of message: Message,
    badge: Int,
    token: String
  ) -> PushMessage {
    let messageID = message.document.name.id
    let conversationID = ChatPaths.conversation(of: message.document.name.path).id
    return PushMessage(
      token: token,
      title: content.title,
      body: content.body,
      data: [
        "conversationId": conversationID, "messageId": messageID, "type": "newMessage",
      ],
      badge: badge,
      thread: short(conversationID),
      collapseID: short(messageID)
    )
  }

  /// APNs takes ids of 64 bytes; a document's may have 1,500.
  private static func short(_ id: String) -> String {
    id.utf8.count <= 64 ? id : ContentHash.document(id)
  }
}
