import Chat
import FirestoreModel
import FirestoreREST
import FunctionRuntime
import Leases
import Logging
import Providers
import RPCStatus

/// Of all deliveries of a message one rings at a time, and writes down what it has done.
extension MessageNotification {
  /// What one delivery has while it rings, and no other.
  struct Turn {
    var lease: Lease
    /// As it is under the lease.
    var ledger: NotificationLedger
  }

  /// What is kept of a message's rings: its ledger, and the lease of the delivery that rings.
  struct Names {
    var ledger: DocumentName
    var lease: DocumentName

    init(of message: Message, _ session: ChatSession) throws(StatusError) {
      ledger = try session.firestore.name(NotificationLedger.path(of: message))
      lease = try session.leases.name(NotificationLedger.key(of: message))
    }
  }

  /// Takes the turn at once, and writes something else with the same commit.
  ///
  /// - Parameter snapshot: has the ledger.
  /// - Returns: nil if another has it or had it, or a condition of the writes isn't met. Nothing is
  ///   written then.
  func turn(
    to names: Names,
    since snapshot: Snapshot,
    writing writes: [Write] = []
  ) async throws(StatusError) -> Turn? {
    let leases = try await session.leases.acquire(
      [names.lease],
      ifUnchanged: [names.ledger],
      since: snapshot,
      writing: writes
    )
    guard let lease = leases?[names.lease] else { return nil }
    let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
    return Turn(lease: lease, ledger: ledger)
  }

  /// Waits until no other delivery of this message rings: it may have been killed, and there may be
  /// something left to do.
  ///
  /// - Parameter snapshot: has the ledger; nil if something has changed since it was read.
  /// - Returns: nil if another has done all there is.
  /// - Throws: `UNAVAILABLE` if the other one is still at it when the time is up.
  func waitForTurn(
    to names: Names,
    since snapshot: Snapshot?
  ) async throws(StatusError) -> Turn? {
    var known = snapshot
    var polling = session.leases.polling(until: session.patience)
    while true {
      let snapshot =
        if let known { known } else { try await firestore.snapshot([names.ledger, names.lease]) }
      let ledger = NotificationLedger(name: names.ledger, document: snapshot[names.ledger])
      guard !ledger.isComplete else { return nil }
      let timeLeft = session.leases.timeLeft(of: names.lease, in: snapshot)
      if timeLeft == nil, let turn = try await turn(to: names, since: snapshot) { return turn }
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

  // MARK: Ringing

  /// Sends part by part and writes down what has happened after each, so that no device rings twice.
  /// Then the rest; and with the last commit, that nothing is left to do. A redelivery does what an
  /// earlier one didn't come to.
  func send(
    _ pushes: Pushes,
    turn: Turn,
    newest: NewestMessages,
    message: DocumentName,
    conversation: Conversation
  ) async throws(StatusError) -> FunctionOutcome {
    var (pushes, turn) = (pushes, turn)
    var outcomes = await pushes.sendPart(push, until: turn.lease.deadline)
    while !pushes.isEmpty {
      // What is under way when the time is up may ring a second time: rather begin nothing.
      guard session.leases.hasTimeForAnother else {
        pushes.leaveRest()
        break
      }
      try await write(outcomes, of: message, extending: &turn)
      outcomes = await pushes.sendPart(push, until: turn.lease.deadline)
    }
    let results = pushes.results
    if !results.flatMap(\.removals).isEmpty {
      try await write(outcomes, of: message, extending: &turn)
      outcomes = [:]
      await session.forgetDeadTokens(results)
    }
    let remainder = results.remainder
    try await finish(
      turn,
      of: message,
      outcomes: outcomes,
      isComplete: remainder == nil,
      newest: newest,
      conversation: conversation
    )

    let reports = results.map(\.report)
    session.context.logger.info(
      "notified",
      metadata: [
        "recipients": "\(reports.count)", "sent": "\(reports.reduce(0) { $0 + $1.sent })",
      ]
    )
    if let remainder { throw remainder }
    return .done(Report(recipients: reports))
  }

  /// Writes down what has happened while there is more to do.
  ///
  /// - Throws: `ABORTED` if another delivery has the lease now.
  private func write(
    _ outcomes: [String: String],
    of message: DocumentName,
    extending turn: inout Turn
  ) async throws(StatusError) {
    let write = turn.ledger.write(
      outcomes: outcomes,
      isComplete: false,
      message: message,
      now: turn.lease.clock.time
    )
    let writes = [write].compactMap(\.self)
    if let lease = try await session.leases.commit(writes, extending: turn.lease) {
      turn.lease = lease
      return
    }
    // They rang, whoever has the lease.
    if !writes.isEmpty { try await firestore.commit(writes) }
    throw StatusError(.aborted, "another delivery took over notifying this message's readers")
  }

  /// Writes down the last that has happened, moves the conversation's last message forward, and gives
  /// the lease back: in one commit, unless somebody else has just written the conversation, or deleted
  /// its newest message. It is then read again; a later message always wins.
  private func finish(
    _ turn: Turn,
    of message: DocumentName,
    outcomes: [String: String],
    isComplete: Bool,
    newest: NewestMessages,
    conversation: Conversation
  ) async throws(StatusError) {
    func entry(isComplete: Bool) -> Write? {
      turn.ledger.write(
        outcomes: outcomes,
        isComplete: isComplete,
        message: message,
        now: turn.lease.clock.time
      )
    }
    func last(in conversation: Document?, _ newest: NewestMessages) -> [Write] {
      let moves = conversation.map { LastMessage.writes(for: newest, in: $0) } ?? []
      return [entry(isComplete: isComplete)].compactMap(\.self) + moves
    }
    do throws(StatusError) {
      try await firestore.commit(last(in: conversation.document, newest) + [turn.lease.release])
      return
    } catch {
      guard error.isConflict else { throw error }
    }
    if let entry = entry(isComplete: false) { try await firestore.commit([entry]) }
    for attempt in 0..<Self.maximumConflicts where session.context.deadline > .now {
      let name = try session.conversationName(of: message.path)
      let current = try await firestore.document(name)
      let newest = try await session.newestMessages(of: name, for: [], in: conversation)
      do throws(StatusError) {
        let writes = last(in: current, newest)
        if !writes.isEmpty { try await firestore.commit(writes) }
        await session.leases.release([turn.lease])
        return
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    await session.leases.release([turn.lease])
    throw StatusError(.aborted, "the conversation kept changing")
  }
}
