import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// Puts right what is kept of readers' unread messages, and tells their phones silently where the
/// number on the icon changes.
///
/// Of many deliveries the first to look writes, and only it tells the phones; the others find that all
/// is right.
///
/// The lease of the one who tells is taken by the commit that writes the counts and given back when all
/// were told. Whoever is killed in between, or was refused by FCM, leaves it: the same event comes
/// again and finds it, and tells the phones although the counts are right by then.
struct InboxUpdate {
  let session: ChatSession
  let push: PushClient
  private var firestore: FirestoreClient { session.firestore }

  /// What is there, and what should be.
  struct View {
    var snapshot: Snapshot
    var conversation: DocumentName
    /// Of whoever tells phones of this change.
    var lease: DocumentName
    var counts: [InboxCount] = []
    var writes: [Write] = []
    /// How long another delivery still has that rings in this conversation, or tells of this change.
    var timeLeft: Duration?

    /// Whether somebody who should have told the phones didn't come to it.
    var isUntold: Bool { snapshot[lease] != nil }
    /// Whose phones show another number than they should.
    var changed: [String] { counts.filter(\.isChanged).map(\.uid) }
  }

  enum Look {
    case view(View)
    /// There is nothing to put right, and why.
    case nothing(String)
  }

  /// - Parameter look: looks at what is there; anew whenever it has changed since.
  func run(
    lookingBy look: () async throws(StatusError) -> Look
  ) async throws -> FunctionOutcome {
    var polling = session.leases.polling(until: session.patience)
    // Whose counts this delivery wrote.
    var written: Set<String> = []
    var conflicts = 0
    while session.context.deadline > .now, conflicts < MessageNotification.maximumConflicts {
      let view: View
      switch try await look() {
      case .view(let seen): view = seen
      case .nothing(let reason): return .skipped(reason: reason)
      }
      let isDue = !view.changed.isEmpty || !written.isEmpty || view.isUntold
      guard isDue || !view.writes.isEmpty else {
        return .skipped(reason: "unread counts and the last message are right")
      }
      guard isDue else {
        if try await commit(chunks(of: view)) {
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
            "another delivery is still notifying readers of this conversation",
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

  // MARK: Writing

  /// How many readers are told within the usual time of a lease, with a provider that is slow.
  private static let readersPerLease = 100

  private func chunks(of view: View) -> WriteChunks {
    WriteChunks(view.writes, of: view.conversation, since: view.snapshot)
  }

  /// - Returns: false if something has changed since it was read.
  private func commit(_ chunks: WriteChunks) async throws(StatusError) -> Bool {
    do throws(StatusError) {
      for chunk in chunks { try await firestore.commit(chunk) }
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
    var chunks = chunks(of: view)
    let leases = try await session.leases.acquire(
      [view.lease],
      ifUnchanged: [],
      since: view.snapshot,
      times: 1 + view.counts.count / Self.readersPerLease,
      writing: chunks.next() ?? []
    )
    guard let lease = leases?[view.lease] else { return nil }
    written.formUnion(view.changed)
    return try await commit(chunks) ? lease : nil
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
      of: view.conversation.id,
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
