import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The claim to a message's pushes: only one of its deliveries sends at a time.
extension MessageNotification {
  /// A delivery's exclusive right to send a message's pushes while its lease lasts.
  struct Claim {
    var lease: Lease
    /// The ledger, read when the lease was taken.
    var ledger: NotificationLedger
  }

  /// The names of a message's ledger and of the lease on sending its pushes.
  struct Names {
    var ledger: DocumentName
    var lease: DocumentName

    init(of message: Message, _ session: ChatSession) throws(StatusError) {
      ledger = try session.firestore.name(NotificationLedger.path(of: message))
      lease = try session.leases.name(NotificationLedger.key(of: message))
    }
  }

  /// Takes the claim without waiting, and commits other writes with it.
  ///
  /// - Parameter snapshot: a snapshot that contains the ledger.
  /// - Returns: The claim, or `nil` if another delivery has the lease, if the ledger has changed
  ///   since the snapshot, or if a precondition of the writes isn't met. In these cases nothing is
  ///   written.
  func claim(
    _ names: Names,
    since snapshot: Snapshot,
    writing writes: [Write] = []
  ) async throws(StatusError) -> Claim? {
    let leases = try await session.leases.acquire(
      [names.lease],
      ifUnchanged: [names.ledger],
      since: snapshot,
      writing: writes
    )
    guard let lease = leases?[names.lease] else { return nil }
    let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
    return Claim(lease: lease, ledger: ledger)
  }

  /// Waits until no other delivery of this message sends pushes, and takes the claim.
  ///
  /// The other delivery may have been killed before it sent all pushes.
  ///
  /// - Parameter snapshot: a snapshot that contains the ledger, or `nil` if it has to be read
  ///   again.
  /// - Returns: The claim, or `nil` if another delivery has sent all pushes.
  /// - Throws: `UNAVAILABLE` if the other delivery is still sending when the time is up.
  func waitForClaim(
    _ names: Names,
    since snapshot: Snapshot?
  ) async throws(StatusError) -> Claim? {
    var known = snapshot
    var polling = session.leases.polling(until: session.waitDeadline)
    while true {
      let snapshot =
        if let known { known } else { try await firestore.snapshot([names.ledger, names.lease]) }
      let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
      guard !ledger.isComplete else { return nil }
      let timeLeft = session.leases.timeLeft(of: names.lease, in: snapshot)
      if timeLeft == nil, let claim = try await claim(names, since: snapshot) { return claim }
      guard await polling.pause() else {
        throw StatusError(
          .unavailable,
          "another delivery of this message is still notifying its readers",
          retryAfter: timeLeft
        )
      }
      known = nil
    }
  }
}
