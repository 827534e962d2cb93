import Chat
import Core
import FirestoreModel
import FunctionRuntime
import Providers

/// What was read about a recipient.
struct RecipientState {
  /// The profile's name, whether there is a profile or not.
  var name: DocumentName
  var devices: Devices
  /// The recipient's conversations in which something is unread.
  var inbox: [Document]

  var uid: String { name.id }

  /// The sum over the reader's conversations, the given one as it is counted now.
  func badge(unread: Int, in conversationID: String) -> Int {
    unread + inbox.filter { $0.name.id != conversationID }.badge
  }
}

/// What FCM answered to one push.
typealias PushOutcome = Result<PushClient.Outcome, StatusError>

/// What became of a recipient's devices.
struct RecipientResult {
  var report: MessageNotification.RecipientReport
  var removals: [Write] = []
  /// Why tokens are forgotten.
  var deadTokens: [PushClient.DeadToken] = []
  var failures: [StatusError] = []

  /// - Returns: what the ledger is to keep of the device; nil if it may be rung again.
  @discardableResult
  mutating func add(_ outcome: PushOutcome, of device: Devices.Device) -> String? {
    switch outcome {
    case .success(.sent):
      report.sent += 1
      return "sent"
    case .success(.dead(let reason)):
      report.unregistered += 1
      removals += device.removals
      deadTokens.append(reason)
      return reason.rawValue
    case .failure(let error):
      report.failed += 1
      failures.append(error)
      return nil
    }
  }
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
    var content: Content
  }

  private enum Content {
    case alert(PushMessage)
    /// For whom the conversation is muted: it counts all the same.
    case badge(BadgeMessage)

    func send(
      with client: PushClient,
      until deadline: ContinuousClock.Instant
    ) async -> PushOutcome {
      do throws(StatusError) {
        switch self {
        case .alert(let message):
          return .success(try await client.send(message, deadline: deadline))
        case .badge(let message):
          return .success(try await client.send(message, deadline: deadline))
        }
      } catch {
        return .failure(error)
      }
    }
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
    texts: TranslatedTexts,
    newest: NewestMessages,
    ledger: NotificationLedger
  ) {
    let current = newest.current(message) ?? message
    // Two accounts on one phone: it rings once.
    var tokens: Set<String> = []
    for recipient in recipients.sorted(by: { $0.uid < $1.uid }) {
      let text = texts.text(for: recipient.uid)
      var report = MessageNotification.RecipientReport(
        uid: recipient.uid,
        language: text?.language,
        engine: text?.engine,
        unread: newest.unread(
          by: recipient.uid,
          joinedAt: conversation.joinedAt(recipient.uid)
        ),
        reason: text?.reason
      )
      defer { results.append(RecipientResult(report: report)) }
      guard let text else { continue }
      if let silence = Self.silence(for: recipient.uid, of: message, current, in: conversation) {
        report.reason = silence
        continue
      }
      if conversation.muted.contains(recipient.uid) { report.reason = "muted" }
      if recipient.devices.all.isEmpty { report.reason = "no device" }
      let content = NotificationContent(
        text: text.text,
        isHidden: text.isHidden,
        conversation: conversation,
        sender: sender
      )
      for device in recipient.devices.all {
        guard !ledger.contains(device.token), tokens.insert(device.key).inserted else {
          report.alreadySent += 1
          continue
        }
        let push = Self.push(
          content,
          of: message,
          in: conversation,
          to: recipient,
          unread: report.unread,
          token: device.token
        )
        pending.append(Push(recipient: results.count, device: device, content: push))
      }
    }
  }

  /// Why a recipient gets no push of a message; nil if they do.
  ///
  /// - Parameter current: the message as it is now.
  private static func silence(
    for uid: String,
    of message: Message,
    _ current: Message,
    in conversation: Conversation
  ) -> String? {
    let hasSender = message.senderID.map { conversation.participants.contains($0) } ?? false
    if !hasSender { return "the sender is no member any more" }
    if current.readBy.contains(uid) { return "read already" }
    return conversation.joined(uid, after: message) ? "joined after it was written" : nil
  }

  private static func push(
    _ content: NotificationContent,
    of message: Message,
    in conversation: Conversation,
    to recipient: RecipientState,
    unread: Int,
    token: String
  ) -> Content {
    let conversationID = ChatPaths.conversation(of: message.document.name.path).id
    let badge = recipient.badge(unread: unread, in: conversationID)
    guard !conversation.muted.contains(recipient.uid) else {
      return .badge(BadgeMessage(token: token, badge: badge, conversationID: conversationID))
    }
    return .alert(Self.push(content, of: message, badge: badge, token: token))
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
    let outcomes = await part.map(\.content).concurrently(atMost: Self.partSize) { content in
      await content.send(with: client, until: deadline)
    }
    var kept: [String: String] = [:]
    for (push, outcome) in zip(part, outcomes) {
      kept[push.device.token] = results[push.recipient].add(outcome, of: push.device)
    }
    return kept
  }

  /// Leaves what is not sent yet to a redelivery.
  mutating func leaveRest() {
    let error = StatusError(.unavailable, "the time was up before every device was rung")
    for push in pending { results[push.recipient].add(.failure(error), of: push.device) }
    pending = []
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
