import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The correction of readers' stored unread counts after a change.
///
/// Readers whose count changes get a silent push with the new number on the app's icon.
///
/// Many deliveries may process the same change. The first one writes the counts and sends the
/// pushes; the others find the counts right.
///
/// The commit that writes the counts also takes a lease, which is released when all pushes are
/// sent. If the delivery is killed in between, or FCM refuses a push, the lease stays. The event's
/// redelivery then finds the lease and sends the pushes, although the counts are right by then.
struct InboxUpdate {
  let session: ChatSession
  let push: PushClient
  private var firestore: FirestoreClient { session.firestore }

  /// The documents that were read, and the writes that correct them.
  struct View {
    var snapshot: Snapshot
    var conversation: DocumentName
    /// The name of the lease on sending this change's pushes.
    var lease: DocumentName
    var counts: [InboxCount] = []
    var writes: [Write] = []
    /// The time until the last lease of another delivery expires, or `nil` if there is none.
    ///
    /// The leases are on pushes that may carry an older count.
    var timeLeft: Duration?

    /// A Boolean value that indicates whether an earlier delivery left pushes unsent.
    var isUntold: Bool { snapshot[lease] != nil }
    /// The ids of the readers whose stored number is wrong.
    var changed: [String] { counts.filter(\.isChanged).map(\.uid) }
  }

  enum Look {
    case view(View)
    /// Nothing to correct, with the reason.
    case nothing(String)
  }

  /// Corrects the counts and sends the pushes.
  ///
  /// - Parameter look: reads the documents. It is called again whenever they have changed since.
  func run(
    lookingBy look: () async throws(StatusError) -> Look
  ) async throws -> FunctionOutcome {
    var polling = session.leases.polling(until: session.waitDeadline)
    // The ids of the readers whose counts this delivery wrote.
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
        return .skipped(reason: "unread counts and the last message are up to date")
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
    throw StatusError(
      .aborted,
      "the readers' inboxes kept changing while their unread counts were written"
    )
  }

  // MARK: Writing

  /// The number of readers that even a slow provider can notify within one lease's duration.
  private static let readersPerLease = 100

  private func chunks(of view: View) -> WriteChunks {
    WriteChunks(view.writes, of: view.conversation, since: view.snapshot)
  }

  /// Commits the writes.
  ///
  /// - Returns: `false` if a document has changed since it was read.
  private func commit(_ chunks: WriteChunks) async throws(StatusError) -> Bool {
    do throws(StatusError) {
      for chunk in chunks { try await firestore.commit(chunk) }
      return true
    } catch {
      guard error.isConflict else { throw error }
      return false
    }
  }

  /// Takes the lease with the first chunk of writes, and commits the other chunks.
  ///
  /// - Returns: The lease, or `nil` if a document has changed since it was read. In that case this
  ///   delivery may already have the lease, and the next attempt acquires it again.
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

  // MARK: Sending

  /// Sends the pushes, deletes dead tokens and releases the lease.
  ///
  /// If FCM refuses a push for now, the lease stays, and the event's redelivery sends the push
  /// again. Otherwise the icon would show a wrong number until the next message.
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
      "sent unread counts",
      metadata: ["readers": "\(results.count)"]
    )
    if let remainder = results.remainder { throw remainder }
    await session.leases.release([lease])
    return .done(MessageNotification.Report(recipients: results.map(\.report)))
  }
}
