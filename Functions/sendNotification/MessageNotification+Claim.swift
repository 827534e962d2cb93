import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The claim to a message's pushes: of all its deliveries, one sends at a time.
extension MessageNotification {
  /// The exclusive right of a delivery to send a message's pushes, while its lease lasts.
  struct Claim {
    var lease: Lease
    /// As it is under the lease.
    var ledger: NotificationLedger
  }

  /// The documents kept of a message's pushes: its ledger, and the lease of the delivery that sends.
  struct Names {
    var ledger: DocumentName
    var lease: DocumentName

    init(of message: Message, _ session: ChatSession) throws(StatusError) {
      ledger = try session.firestore.name(NotificationLedger.path(of: message))
      lease = try session.leases.name(NotificationLedger.key(of: message))
    }
  }

  /// Takes the claim at once, and writes something else with the same commit.
  ///
  /// - Parameter snapshot: has the ledger.
  /// - Returns: nil if another has it or had it, or a condition of the writes isn't met. Nothing is
  ///   written then.
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

  /// Waits until no other delivery of this message sends: it may have been killed, and there may be
  /// something left to do.
  ///
  /// - Parameter snapshot: has the ledger; nil if something has changed since it was read.
  /// - Returns: nil if another has done all there is.
  /// - Throws: `UNAVAILABLE` if the other one is still at it when the time is up.
  func waitForClaim(
    _ names: Names,
    since snapshot: Snapshot?
  ) async throws(StatusError) -> Claim? {
    var known = snapshot
    var polling = session.leases.polling(until: session.patience)
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
