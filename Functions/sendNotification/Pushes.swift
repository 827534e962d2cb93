import Chat
import FirestoreModel
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
  /// By token: what the ledger keeps.
  var outcomes: [String: String] = [:]
  var removals: [Write] = []
  var failures: [StatusError] = []
}

/// The pushes of one message.
struct Pushes {
  var message: Message
  var conversation: Conversation
  var sender: UserProfile?
  var readings: Readings
  var newest: NewestMessages
  var ledger: NotificationLedger

  /// Rings all devices that the ledger doesn't have, recipients side by side.
  func send(to recipients: [RecipientState], push: PushClient) async -> [RecipientResult] {
    await withTaskGroup(of: RecipientResult.self) { group in
      for recipient in recipients {
        group.addTask { await send(to: recipient, push: push) }
      }
      return await group.reduce(into: []) { $0.append($1) }
        .sorted { $0.report.uid < $1.report.uid }
    }
  }

  private func send(to recipient: RecipientState, push: PushClient) async -> RecipientResult {
    let reading = readings.reading(for: recipient.uid)
    var report = MessageNotification.RecipientReport(
      uid: recipient.uid,
      language: reading?.language,
      engine: reading?.engine,
      unread: newest.unread(by: recipient.uid),
      reason: reading?.reason
    )
    guard let reading, !conversation.muted.contains(recipient.uid) else {
      report.reason = "muted"
      return RecipientResult(report: report)
    }
    let new = recipient.devices.all.filter { !ledger.contains($0.token) }
    report.alreadySent = recipient.devices.all.count - new.count
    if recipient.devices.all.isEmpty { report.reason = "no device" }

    var result = RecipientResult(report: report)
    let badge = recipient.badge(
      unread: report.unread,
      in: ChatPaths.conversation(of: message.document.name.path).id
    )
    let content = NotificationContent(
      text: reading.text,
      conversation: conversation,
      sender: sender
    )
    for device in new {
      do throws(StatusError) {
        switch try await push.send(message(content, badge: badge, token: device.token)) {
        case .sent:
          result.report.sent += 1
          result.outcomes[device.token] = "sent"
        case .unregistered:
          result.report.unregistered += 1
          result.outcomes[device.token] = "unregistered"
          result.removals += device.removals
        }
      } catch {
        result.report.failed += 1
        result.failures.append(error)
      }
    }
    return result
  }

  private func message(
    _ content: NotificationContent,
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
      thread: conversationID,
      // APNs takes 64 bytes.
      collapseID: messageID.utf8.count <= 64 ? messageID : ContentHash.document(messageID)
    )
  }
}
