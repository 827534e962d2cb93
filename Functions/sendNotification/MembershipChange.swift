import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Providers

/// The handling of members' removal from a conversation, and of a conversation's deletion.
///
/// Former members' unread counts of the conversation are deleted. The conversation is read again,
/// so that a former member who has rejoined keeps the count. A former member who rejoins later gets
/// a new count with the next message.
struct MembershipChange {
  let session: ChatSession
  let push: PushClient
  private var firestore: FirestoreClient { session.firestore }

  func follow(_ removal: MembershipRemoval) async throws -> FunctionOutcome {
    try await InboxUpdate(session: session, push: push).run { () async throws(StatusError) in
      try await look(removal)
    }
  }

  private func look(_ removal: MembershipRemoval) async throws(StatusError) -> InboxUpdate.Look {
    let name = removal.conversation
    let lease = try session.leases.name(removal.leaseKey)
    let snapshot = try await firestore.snapshot(
      [name, lease] + session.inboxNames(of: removal.uids, name.id)
    )
    var members: Set<String> = []
    if let document = snapshot[name] { members = Set(try Conversation(document).participants) }

    var view = InboxUpdate.View(snapshot: snapshot, conversation: name, lease: lease)
    for uid in removal.uids where !members.contains(uid) {
      view.counts.append(
        try InboxCount(ofFormer: session.userName(uid), name.id, since: snapshot)
      )
    }
    view.writes = view.counts.compactMap { $0.write() }
    guard !view.writes.isEmpty || view.isUntold else {
      return .nothing("the former members have no unread count to delete, or have rejoined")
    }
    if !view.changed.isEmpty || view.isUntold { try await findDeliveries(&view) }
    return .view(view)
  }

  /// Finds the leases of deliveries that send pushes for one of the newest messages.
  ///
  /// Such a delivery may have computed its badge before this change and may send it afterwards.
  private func findDeliveries(_ view: inout InboxUpdate.View) async throws(StatusError) {
    let newest = NewestMessages.query(
      try session.paths.messageCollection(of: view.conversation.path)
    )
    var leases: [DocumentName] = []
    for message in try await firestore.run(newest, below: view.conversation) {
      leases.append(try MessageNotification.Names(of: Message(message), session).lease)
    }
    let users = try session.userNames(view.counts.map(\.uid))
    view.snapshot = try await firestore.extended(view.snapshot, by: leases + users)
    view.timeLeft = session.timeLeft(of: leases + [view.lease], in: view.snapshot)
  }
}
