import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The sending of a message's pushes, and its record in the ledger.
extension MessageNotification {
  /// Sends the pushes part by part, and records each part's outcomes in the ledger.
  ///
  /// So no device gets a push twice, and a redelivery sends only the pushes that are still missing.
  /// The last commit marks the ledger as complete.
  func send(
    _ pushes: Pushes,
    claim: Claim,
    newest: NewestMessages,
    message: DocumentName,
    conversation: Conversation
  ) async throws(StatusError) -> FunctionOutcome {
    var (pushes, claim) = (pushes, claim)
    let onSent: @Sendable (Message) -> Void = { [clock = claim.lease.clock] message in
      session.context.record.record { $0.send(pushes: 1) }
      session.record(.push, of: message, at: clock.time(at: .now))
    }
    var outcomes = await pushes.sendPart(push, until: claim.lease.deadline, onSent: onSent)
    while !pushes.isEmpty {
      // A push that is in progress at the deadline may be sent twice, so no more pushes are
      // started.
      guard session.leases.hasTimeForAnother else {
        pushes.leaveRest()
        break
      }
      try await write(outcomes, of: message, extending: &claim)
      outcomes = await pushes.sendPart(push, until: claim.lease.deadline, onSent: onSent)
    }
    let results = pushes.results
    if !results.flatMap(\.removals).isEmpty {
      try await write(outcomes, of: message, extending: &claim)
      outcomes = [:]
      await session.forgetDeadTokens(results)
    }
    let remainder = results.remainder
    try await finish(
      claim,
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

  /// Records outcomes in the ledger, and extends the lease for the next part.
  ///
  /// - Throws: `ABORTED` if another delivery has the lease now.
  private func write(
    _ outcomes: [String: String],
    of message: DocumentName,
    extending claim: inout Claim
  ) async throws(StatusError) {
    let write = claim.ledger.write(
      outcomes: outcomes,
      isComplete: false,
      message: message,
      now: claim.lease.clock.time
    )
    let writes = [write].compactMap(\.self)
    if let lease = try await session.leases.commit(writes, extending: claim.lease) {
      claim.lease = lease
      return
    }
    // These pushes were sent, so the ledger records them even without the lease.
    if !writes.isEmpty { try await firestore.commit(writes) }
    throw StatusError(.aborted, "another delivery took over notifying this message's readers")
  }

  /// Records the last outcomes, moves the conversation's last message forward, and releases the
  /// lease.
  ///
  /// All of this is one commit. If another writer has just changed the conversation or deleted its
  /// newest message, the commit fails. The conversation is then read again; a later message always
  /// wins.
  private func finish(
    _ claim: Claim,
    of message: DocumentName,
    outcomes: [String: String],
    isComplete: Bool,
    newest: NewestMessages,
    conversation: Conversation
  ) async throws(StatusError) {
    func entry(isComplete: Bool) -> Write? {
      claim.ledger.write(
        outcomes: outcomes,
        isComplete: isComplete,
        message: message,
        now: claim.lease.clock.time
      )
    }
    func last(in conversation: Document?, _ newest: NewestMessages) -> [Write] {
      let moves = conversation.map { LastMessage.writes(for: newest, in: $0) } ?? []
      return [entry(isComplete: isComplete)].compactMap(\.self) + moves
    }
    do throws(StatusError) {
      try await firestore.commit(last(in: conversation.document, newest) + [claim.lease.release])
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
        await session.leases.release([claim.lease])
        return
      } catch {
        guard error.isConflict else { throw error }
        await session.pause(after: attempt)
      }
    }
    await session.leases.release([claim.lease])
    throw StatusError(.aborted, "the conversation kept changing: its last message is not updated")
  }
}
