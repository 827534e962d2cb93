import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import Leases
import Logging
import Providers
import RPCStatus

/// What an edit, a deletion and a receipt leave to do: unread counts and the conversation's last
/// message are put right, and phones are told silently where the number on the icon changes.
///
/// All is counted anew from the messages as they are now. Of many deliveries the first to look writes,
/// and only it tells the phones; the others find that all is right. A receipt's copies, such as 50 of
/// one batch, cost a read and a query each.
///
/// The lease of the one who tells is taken by the commit that writes the counts and given back when all
/// were told. Whoever is killed in between, or was refused by FCM, leaves it: the same event comes
/// again and finds it, and tells the phones although the counts are right by then.
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
    var polling = session.leases.polling(until: session.patience)
    // Whose counts this delivery wrote.
    var written: Set<String> = []
    var conflicts = 0
    while session.context.deadline > .now, conflicts < MessageNotification.maximumConflicts {
      guard let view = try await look(concern) else {
        return .skipped(reason: "the conversation shows a later message")
      }
      let isDue = !view.changed.isEmpty || !written.isEmpty || view.isUntold
      guard isDue || !view.writes.isEmpty else {
        return .skipped(reason: "unread counts and the last message are right")
      }
      guard isDue else {
        if try await commit(view.writes) {
          return .done(MessageNotification.Report(recipients: []))
        }
        conflicts += 1
        await session.pause(after: conflicts)
        continue
      }
      if let timeLeft = view.timeLeft {
        guard await polling.pause() else {
          throw StatusError(
            .unavailable,
            "another delivery is still notifying this message's readers",
            retryAfter: timeLeft
          )
        }
        continue
      }
      guard let lease = try await write(view, &written) else {
        conflicts += 1
        await session.pause(after: conflicts)
        continue
      }
      let told = view.isUntold ? view.counts : view.counts.filter { written.contains($0.uid) }
      return try await tell(told, of: view, lease)
    }
    throw StatusError(.aborted, "the readers' inboxes kept changing")
  }

  // MARK: Looking

  /// What is there, and what should be.
  private struct View {
    var snapshot: Snapshot
    var conversationID: String
    var lease: DocumentName
    var counts: [InboxCount] = []
    var writes: [Write] = []
    /// How long another delivery still has that rings for this message, or tells of this change.
    var timeLeft: Duration?
    /// Whether somebody who should have told the phones didn't come to it.
    var isUntold = false

    /// Whose phones show another number than they should.
    var changed: [String] { counts.filter(\.isChanged).map(\.uid) }
  }

  /// - Returns: nil if an edit concerns nothing but a last message, and there is a later one.
  private func look(_ concern: Concern) async throws(StatusError) -> View? {
    let message = concern.message
    let name = try session.conversationName(of: message.document.name.path)
    let ring = try MessageNotification.Names(of: message, session)
    let lease = try session.leases.name(concern.leaseKey)
    var snapshot = try await firestore.snapshot(
      [name, ring.lease, lease] + documents(of: concern.readers ?? [], name.id)
    )
    let conversation = try Conversation(snapshot[name], of: message)
    let readers = conversation.participants.filter(concern.concerns)
    if readers.isEmpty, !canShow(message, concern, in: conversation) { return nil }
    snapshot = try await firestore.extended(
      snapshot,
      by: session.inboxNames(of: readers, name.id)
    )
    let newest = try await session.newestMessages(of: name, for: readers, in: conversation)

    var view = View(snapshot: snapshot, conversationID: name.id, lease: lease)
    view.timeLeft = [ring.lease, lease].compactMap {
      session.leases.timeLeft(of: $0, in: snapshot)
    }.max()
    view.isUntold = snapshot[lease] != nil
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
    return view
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

  // MARK: Writing

  /// How many readers are told within the usual time of a lease, with a provider that is slow.
  private static let readersPerLease = 100

  /// - Returns: false if something has changed since it was read.
  private func commit(_ writes: [Write]) async throws(StatusError) -> Bool {
    do throws(StatusError) {
      for chunk in WriteChunks(writes) { try await firestore.commit(chunk) }
      return true
    } catch {
      guard error.isConflict else { throw error }
      return false
    }
  }

  /// Takes the lease with the first writes, and writes the others.
  ///
  /// - Returns: nil if something has changed since it was read. The lease may be ours then, and is
  ///   taken again.
  private func write(
    _ view: View,
    _ written: inout Set<String>
  ) async throws(StatusError) -> Lease? {
    var chunks = WriteChunks(view.writes)
    let leases = try await session.leases.acquire(
      [view.lease],
      ifUnchanged: [],
      since: view.snapshot,
      times: 1 + view.counts.count / Self.readersPerLease,
      writing: chunks.next() ?? []
    )
    guard let lease = leases?[view.lease] else { return nil }
    written.formUnion(view.changed)
    for chunk in chunks {
      guard try await commit(chunk) else { return nil }
    }
    return lease
  }

  // MARK: Telling

  /// Tokens that are dead are forgotten. What FCM refuses for now is left with the lease, and told by
  /// the event's redelivery: a wrong number would else stand there until the next message.
  private func tell(
    _ counts: [InboxCount],
    of view: View,
    _ lease: Lease
  ) async throws -> FunctionOutcome {
    let users = try session.userNames(counts.map(\.uid))
    let snapshot = try await firestore.extended(view.snapshot, by: users)
    let results = try await BadgePushes(session: session, push: push).tell(
      counts,
      of: view.conversationID,
      profiles: try session.profiles(of: counts.map(\.uid), in: snapshot),
      until: lease.deadline
    )
    await session.forgetDeadTokens(results)
    session.context.logger.info(
      "told of unread counts",
      metadata: ["readers": "\(results.count)"]
    )
    if let remainder = results.remainder { throw remainder }
    await session.leases.release([lease])
    return .done(MessageNotification.Report(recipients: results.map(\.report)))
  }
}
