import Chat
import Core
import FirestoreModel
import FunctionRuntime
import Providers

/// FCM's answer to one push.
typealias PushOutcome = Result<PushClient.Outcome, StatusError>

/// The outcome of the pushes to a recipient's devices.
struct RecipientResult {
  var report: MessageNotification.RecipientReport
  /// The writes that delete dead tokens.
  var removals: [Write] = []
  /// The reasons for which tokens are deleted.
  var deadTokens: [PushClient.DeadToken] = []
  var failures: [StatusError] = []

  /// Adds the outcome of one device's push.
  ///
  /// - Returns: The outcome to record in the ledger, or `nil` if the push may be sent again.
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
  /// The error to fail the delivery with, or `nil` if a redelivery can do nothing more.
  ///
  /// A transient failure takes precedence over a configuration error, and a configuration error
  /// over any other failure. Failures that the event itself causes don't count, because a
  /// redelivery would fail again.
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
  /// A push that is not sent yet.
  private struct Push {
    /// The recipient's index in `results`.
    var recipient: Int
    var device: Devices.Device
    var content: Content
  }

  private enum Content {
    case alert(PushMessage)
    /// A silent push with the badge only.
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

  /// The number of pushes to send at the same time before the ledger is written.
  ///
  /// A redelivery after a crash repeats at most this many pushes.
  static let partSize = 100

  /// The results so far, one for each recipient, sorted by recipient id.
  private(set) var results: [RecipientResult] = []
  private var pending: [Push] = []
  private let message: Message

  /// The number of recipients whose quiet hours are invalid.
  private(set) var invalidQuietHours = 0

  /// A Boolean value that indicates whether no push is left to send.
  var isEmpty: Bool { pending.isEmpty }

  /// Creates one push for each device that is not in the ledger.
  ///
  /// - Parameter time: the current time.
  init(
    of message: Message,
    in conversation: Conversation,
    from sender: UserProfile?,
    to recipients: [RecipientState],
    texts: TranslatedTexts,
    newest: NewestMessages,
    ledger: NotificationLedger,
    at time: Timestamp
  ) {
    self.message = message
    var policy = AlertPolicy(message, in: conversation, at: time)
    let current = newest.current(message) ?? message
    // Two accounts may share a token until the registration's event is handled. The phone gets one
    // push, which is the later user's.
    let owners = Devices.owners(of: recipients)
    for recipient in recipients.sorted(by: { $0.uid < $1.uid }) {
      let text = texts.text(for: recipient.uid)
      var report = MessageNotification.RecipientReport(
        uid: recipient.uid,
        language: text?.language,
        engine: text?.engine,
        unread: newest.unread(by: recipient.uid, in: conversation),
        reason: text?.reason
      )
      defer { results.append(RecipientResult(report: report)) }
      guard let text else { continue }
      if let reason = Self.omission(for: recipient.uid, of: message, current, in: conversation) {
        report.reason = reason
        continue
      }
      let silence = policy.silence(for: recipient)
      invalidQuietHours = policy.invalidHours
      if let silence { report.reason = silence }
      let devices = recipient.devices.all.filter { owners[$0.key] == recipient.uid }
      if devices.isEmpty { report.reason = "no device" }
      let content = NotificationContent(
        text: text.pushText,
        isHidden: text.isHidden,
        image: message.photoURL,
        conversation: conversation,
        sender: sender
      )
      for device in devices {
        guard !ledger.contains(device.token) else {
          report.alreadySent += 1
          continue
        }
        let push = Self.push(
          content,
          of: message,
          to: recipient,
          isSilent: silence != nil,
          unread: report.unread,
          token: device.token
        )
        pending.append(Push(recipient: results.count, device: device, content: push))
      }
    }
  }

  /// Returns the reason why a recipient gets no push for a message, or `nil` if they get one.
  ///
  /// - Parameter current: the current version of the message.
  private static func omission(
    for uid: String,
    of message: Message,
    _ current: Message,
    in conversation: Conversation
  ) -> String? {
    let hasSender = message.senderID.map(conversation.hasParticipant) ?? false
    if !hasSender { return "the sender is no longer a member" }
    if conversation.hasRead(uid, current) { return "read already" }
    return conversation.joined(uid, after: message) ? "joined after it was written" : nil
  }

  private static func push(
    _ content: NotificationContent,
    of message: Message,
    to recipient: RecipientState,
    isSilent: Bool,
    unread: Int,
    token: String
  ) -> Content {
    let conversationID = ChatPaths.conversation(of: message.document.name.path).id
    let badge = recipient.badge(unread: unread, in: conversationID)
    guard !isSilent else {
      return .badge(BadgeMessage(token: token, badge: badge, conversationID: conversationID))
    }
    return .alert(Self.push(content, of: message, badge: badge, token: token))
  }

  /// Sends the pushes of the next part concurrently.
  ///
  /// - Parameter onSent: called with the message for each push that FCM accepts, but not for silent
  ///   ones.
  /// - Returns: The outcomes to record in the ledger, by token.
  mutating func sendPart(
    _ client: PushClient,
    until deadline: ContinuousClock.Instant,
    onSent: @escaping @Sendable (Message) -> Void
  ) async -> [String: String] {
    let part = pending.prefix(Self.partSize)
    pending.removeFirst(part.count)
    let outcomes = await part.map(\.content).concurrently(atMost: Self.partSize) {
      [message] content in
      let outcome = await content.send(with: client, until: deadline)
      if case (.alert, .success(.sent)) = (content, outcome) { onSent(message) }
      return outcome
    }
    var kept: [String: String] = [:]
    for (push, outcome) in zip(part, outcomes) {
      kept[push.device.token] = results[push.recipient].add(outcome, of: push.device)
    }
    return kept
  }

  /// Marks the pushes that are not sent yet as failed, for a redelivery.
  mutating func leaveRest() {
    let error = StatusError(.unavailable, "the time was up before every push was sent")
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
      collapseID: short(messageID),
      image: content.image,
      page: "/conversations/\(PercentEncoding.encode(conversationID))?"
        + PercentEncoding.query([("message", messageID)])
    )
  }

  /// Returns an id of at most 64 bytes, APNs' limit; a document id may have 1,500 bytes.
  private static func short(_ id: String) -> String {
    id.utf8.count <= 64 ? id : ContentHash.document(id)
  }
}
