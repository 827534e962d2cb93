import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// What an edit, a deletion and a receipt leave to do: unread counts and the conversation's last
/// message are put right, and phones are told silently where the number on the icon changes.
///
/// All is counted anew from the messages as they are now. A receipt's copies, such as 50 of one batch,
/// cost a read and a query each.
struct MessageChange {
  let session: ChatSession
  let push: PushClient
  private var firestore: FirestoreClient { session.firestore }

  init(_ session: ChatSession, push: PushClient) {
    self.session = session
    self.push = push
  }

  func follow(_ event: DocumentEvent) async throws -> FunctionOutcome {
    guard let concern = Concern(event), !concern.isEmpty else {
      return .skipped(reason: "nobody has read or unread it, and the text is the same")
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
      [name, pushes.lease, lease] + documents(of: concern.readers ?? [], name.id)
    )
    let conversation = try Conversation(snapshot[name], of: message)
    let readers = conversation.participants.filter(concern.concerns)
    if readers.isEmpty, !canShow(message, concern, in: conversation) {
      return .nothing("the conversation shows a later message")
    }
    snapshot = try await firestore.extended(
      snapshot,
      by: session.inboxNames(of: readers, name.id)
    )
    let newest = try await session.newestMessages(of: name, for: readers, in: conversation)

    var view = InboxUpdate.View(snapshot: snapshot, conversation: name, lease: lease)
    view.timeLeft = session.timeLeft(of: [pushes.lease, lease], in: snapshot)
    for uid in readers {
      let count = try InboxCount(
        of: session.userName(uid),
        in: conversation,
        name.id,
        newest: newest,
        since: snapshot
      )
      view.counts.append(count)
      // For the sender it changes no count, only which message is the last.
      if uid == message.senderID {
        view.writes += count.isKept ? [count.write()].compactMap(\.self) : []
      } else {
        view.writes += [count.write(since: concern.time)].compactMap(\.self)
      }
    }
    if let document = conversation.document, concern.isGone || concern.isEdited {
      view.writes += LastMessage.repairs(
        after: message.document.name,
        isGone: concern.isGone,
        newest: newest,
        in: document
      )
    }
    return .view(view)
  }

  /// What else to read of members who are known before their conversation is.
  private func documents(
    of uids: Set<String>,
    _ conversationID: String
  ) throws(StatusError) -> [DocumentName] {
    // Anybody can write anything into the list; members are few, or found later.
    let uids = uids.sorted().prefix(Self.maximumGuesses).filter { Value.string($0).userID != nil }
    return try session.userNames(uids) + session.inboxNames(of: uids, conversationID)
  }

  private static let maximumGuesses = 10

  /// Whether an edited message may be the conversation's last one.
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
  /// How long the last of others' leases still lasts; nil if nobody else has one.
  func timeLeft(of names: [DocumentName], in snapshot: Snapshot) -> Duration? {
    names.compactMap { leases.timeLeft(of: $0, in: snapshot) }.max()
  }
}
