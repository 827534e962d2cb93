import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The handling of a message's edit, deletion or read receipt.
///
/// It corrects unread counts and the conversation's last message. Readers whose count changes get a
/// silent push with the new number on the app's icon.
///
/// Everything is counted from the current messages. Each receipt of a batch, such as 50 at once,
/// costs a read and a query.
struct MessageChange {
  let session: ChatSession
  let translator: Translator
  let push: PushClient
  var firestore: FirestoreClient { session.firestore }

  init(_ session: ChatSession, translator: Translator, push: PushClient) {
    self.session = session
    self.translator = translator
    self.push = push
  }

  func follow(_ event: DocumentEvent) async throws -> FunctionOutcome {
    guard let concern = Concern(event), !concern.isEmpty else {
      return .skipped(reason: "neither the readers nor the text of the message changed")
    }
    return try await count(concern)
  }

  func count(_ concern: Concern) async throws -> FunctionOutcome {
    try await InboxUpdate(session: session, push: push).run { () async throws(StatusError) in
      try await look(concern)
    }
  }

  private func look(_ concern: Concern) async throws(StatusError) -> InboxUpdate.Look {
    let message = concern.message
    let name = try session.conversationName(of: message.document.name.path)
    let pushes = try MessageNotification.Names(of: message, session)
    let lease = try session.leases.name(concern.leaseKey)
    var snapshot = try await firestore.snapshot(
      [name, pushes.lease, lease] + unnamed(message)
        + documents(of: concern.readers ?? [], name.id)
    )
    let conversation = try Conversation(snapshot[name], of: message)
    if concern.isRead(in: conversation) { session.record(.read, of: message, at: concern.time) }
    let counted = conversation.participants.filter { concern.concerns($0, in: conversation) }
    let altersText = concern.isGone || concern.isEdited
    let mayShow = altersText && canShow(message, concern, in: conversation)
    guard mayShow || !counted.isEmpty else {
      return .nothing(
        altersText
          ? "the conversation already shows a later message"
          : "the change alters nobody's unread count"
      )
    }
    let readers =
      mayShow
      ? conversation.participants.filter { $0 != message.senderID || counted.contains($0) }
      : counted
    // An edited message's preview depends on its readers' profiles.
    let previewed =
      concern.isEdited
      ? try session.userNames(conversation.users(of: message)) + [message.document.name] : []
    snapshot = try await firestore.extended(
      snapshot,
      by: session.inboxNames(of: readers, name.id) + previewed
    )
    var times = try session.readTimes(of: readers, name.id, in: snapshot)
    if !concern.isGone { times.moveBack(before: message) { !conversation.hasRead($0, message) } }
    let newest = try await session.newestMessages(
      of: name,
      for: readers,
      in: conversation,
      since: times,
      findsLast: altersText
    )
    let texts = try await texts(newest, concern, for: readers, in: conversation, name, snapshot)

    var view = InboxUpdate.View(snapshot: snapshot, conversation: name, lease: lease)
    view.timeLeft = session.timeLeft(of: [pushes.lease, lease], in: snapshot)
    try count(readers, of: concern, in: conversation, newest, texts, &view)
    view.writes += [receipt(of: message, in: conversation, snapshot)].compactMap(\.self)
    if let document = conversation.document, altersText {
      view.writes += LastMessage.repairs(
        after: message.document.name,
        isGone: concern.isGone,
        newest: newest,
        in: document
      )
    }
    return .view(view)
  }

  /// Adds the readers' counts and the writes of their inboxes to a view.
  private func count(
    _ readers: [String],
    of concern: Concern,
    in conversation: Conversation,
    _ newest: NewestMessages,
    _ texts: [ByteKey: TranslatedTexts],
    _ view: inout InboxUpdate.View
  ) throws(StatusError) {
    let sender = concern.message.senderID
    for uid in readers {
      let count = try InboxCount(
        of: session.userName(uid),
        in: conversation,
        view.conversation.id,
        newest: newest,
        texts: texts,
        since: view.snapshot
      )
      // An edit alters previews, but no count.
      guard concern.concerns(uid, in: conversation) || uid == sender else {
        view.writes += [count.previewWrite].compactMap(\.self)
        continue
      }
      view.counts.append(count)
      // The sender's unread count doesn't change; only the last message may.
      if uid == sender {
        view.writes += count.isKept ? [count.write()].compactMap(\.self) : []
      } else {
        view.writes += [count.write(since: concern.time)].compactMap(\.self)
      }
    }
  }

  /// Returns the name of a message that is marked as read without a reader's name.
  private func unnamed(_ message: Message) -> [DocumentName] {
    let hasReader = message.readBy.contains { $0 != message.senderID }
    return message.isMarkedRead && !hasReader ? [message.document.name] : []
  }

  /// Returns the write that adds the recipient to `readBy` of a message that is only marked as read.
  ///
  /// A second phone of the recipient may later set `status` back to `delivered`. The message then
  /// stays read.
  private func receipt(
    of message: Message,
    in conversation: Conversation,
    _ snapshot: Snapshot
  ) -> Write? {
    guard message.isMarkedRead, let reader = conversation.recipient(of: message),
      let current = snapshot[message.document.name].map(Message.init),
      !current.readBy.contains(reader),
      current.document.fields["readBy"]?.arrayValue != nil
        || current.document.fields["readBy"] == nil
    else { return nil }
    return Write(
      .update(Document(name: message.document.name, fields: [:])),
      updateMask: FieldMask([]),
      updateTransforms: [
        FieldTransform(FieldPath("readBy"), .appendMissingElements([.string(reader)]))
      ],
      currentDocument: .exists(true)
    )
  }

  /// Returns the profiles and inboxes to read with the conversation, for the members whom the event
  /// names.
  private func documents(
    of uids: Set<String>,
    _ conversationID: String
  ) throws(StatusError) -> [DocumentName] {
    // Clients can write any value into the list. Members who are left out here are read later.
    let uids = uids.sorted().prefix(Self.maximumGuesses).filter { Value.string($0).userID != nil }
    return try session.userNames(uids) + session.inboxNames(of: uids, conversationID)
  }

  private static let maximumGuesses = 10

  /// Returns whether a changed message may be the conversation's last one.
  private func canShow(
    _ message: Message,
    _ concern: Concern,
    in conversation: Conversation
  ) -> Bool {
    guard let document = conversation.document else { return false }
    guard !concern.isGone, let shown = document.fields["lastMessageAt"]?.timestampValue,
      let timestamp = message.timestamp
    else { return true }
    return shown <= timestamp
  }
}

extension ChatSession {
  /// Returns the time until the last of other deliveries' leases expires, or `nil` if there are
  /// none.
  func timeLeft(of names: [DocumentName], in snapshot: Snapshot) -> Duration? {
    names.compactMap { leases.timeLeft(of: $0, in: snapshot) }.max()
  }
}
