package import Core
package import FirestoreModel
import Synchronization

/// A check of a commit, such as one by security rules.
///
/// The store calls it under its lock, before it checks preconditions and before it waits for
/// locks. So the check must be quick, and must not call the store. If it throws, the commit fails
/// with the error and changes nothing. If the commit waits for locks, the check is made again.
package typealias CommitCheck = @Sendable (StagedCommit) throws(StatusError) -> Void

extension Store {
  /// Applies all writes in order, or none of them. Each write sees the results of the writes before
  /// it.
  ///
  /// The commit is pending while locks block it and while the journal writes it.
  ///
  /// - Parameters:
  ///   - transaction: The transaction that is committed. The commit ends it, even if it fails.
  ///   - check: A check that the commit must pass. It comes before the writes' preconditions, so
  ///     that a caller who fails it doesn't learn which documents exist.
  /// - Throws: Firestore's error: `INVALID_ARGUMENT` for an invalid write; `NOT_FOUND`,
  ///   `ALREADY_EXISTS` or `FAILED_PRECONDITION` for a precondition that isn't met; `ABORTED` if
  ///   another transaction's locks block the commit for too long, or if the commit's transaction is
  ///   aborted because of a deadlock.
  package func attemptCommit(
    _ writes: [Write],
    in database: DatabaseName,
    transaction: TransactionID? = nil,
    cause: CommitCause = .init(),
    check: CommitCheck? = nil
  ) throws(StatusError) -> MaybePending<Commit> {
    let writes = try WriteValidation.checked(writes, in: database, limits: limits)
    return try attemptCommitting(for: transaction) { state, _ throws(StatusError) in
      try self.tryCommit(writes, in: database, transaction, cause, check, &state)
    }
  }

  /// Commits the writes, and waits for locks if necessary.
  package func commit(
    _ writes: [Write],
    in database: DatabaseName,
    transaction: TransactionID? = nil,
    cause: CommitCause = .init()
  ) async throws(StatusError) -> Commit {
    try await attemptCommit(writes, in: database, transaction: transaction, cause: cause).value()
  }

  /// Makes the check of a commit, without committing anything.
  ///
  /// - Throws: The error of the check, or of invalid writes.
  package func check(
    _ writes: [Write],
    in name: DatabaseName,
    _ check: CommitCheck
  ) throws(StatusError) {
    let writes = try WriteValidation.checked(writes, in: name, limits: limits)
    try state.withLock { state throws(StatusError) in
      let database = state.database(name)
      var staging = Staging(at: state.nextCommitTime(at: clock()), in: database)
      for write in writes { staging.apply(write) }
      try check(StagedCommit(writes, in: staging, of: database))
    }
  }

  private func tryCommit(
    _ writes: [Write],
    in name: DatabaseName,
    _ id: TransactionID?,
    _ cause: CommitCause,
    _ check: CommitCheck?,
    _ state: inout State
  ) throws(StatusError) -> Step<Commit> {
    let now = clock()
    let database = state.database(name)
    var transaction: Transaction?
    if let id { transaction = try state.transactions.use(id, in: name, at: now) }
    var staging = Staging(at: state.nextCommitTime(at: now), in: database)
    let results: [WriteResult]
    let changes: [StagedChange]
    do throws(StatusError) {
      for write in writes { staging.apply(write) }
      try check?(StagedCommit(writes, in: staging, of: database))
      try transaction?.check(writes, in: database)
      (results, changes) = try staging.settle()
    } catch {
      if let id { state.transactions.end(id) }
      throw error
    }
    let blockers = try state.blockers(of: staging.touched, in: name, by: id, at: now)
    guard blockers.isEmpty else { return .blocked(by: blockers, changes: staging.touched) }
    if let id { state.transactions.end(id) }
    return .done(
      apply(
        changes,
        to: database,
        named: name,
        at: staging.time,
        results: results,
        cause: cause,
        &state
      )
    )
  }

  /// Applies staged changes as a commit.
  ///
  /// Listeners and observers are notified at once or, if there is a journal, after the commit is
  /// written.
  func apply(
    _ changes: [StagedChange],
    to database: Database,
    named name: DatabaseName,
    at time: Timestamp,
    results: [WriteResult],
    cause: CommitCause,
    _ state: inout State
  ) -> Commit {
    for change in changes { database.apply(change, at: time.microseconds) }
    let commit = Commit(
      database: name,
      time: time,
      results: results,
      changes: changes.map {
        DocumentChange(name: $0.name, before: $0.before, after: $0.after)
      },
      cause: cause
    )
    let events = observers.compactMap { $0.prepare(commit) }
    if state.group == nil {
      publish(commit, changes, in: database, events, &state)
      trimHistory(of: database, at: time)
    } else {
      state.group?.steps.append(.commit(commit, changes, database, events))
    }
    return commit
  }

  /// Notifies listeners and observers of a commit that is final.
  ///
  /// With a journal, later commits of the same group may already have changed the documents again.
  func publish(
    _ commit: Commit,
    _ changes: [StagedChange],
    in database: Database,
    _ events: [any CommitEvents],
    _ state: inout State
  ) {
    state.watches.publish(changes, at: commit.time, to: database, named: commit.database)
    for event in events { event.publish() }
  }

  /// Removes the part of a database's history that exceeds the limits.
  func trimHistory(of database: Database, at time: Timestamp) {
    database.trimHistory(
      before: time.advanced(by: .zero - limits.history).microseconds,
      maximumWeight: limits.historyBytes
    )
  }
}

extension Transaction {
  /// Checks whether the transaction may commit the writes.
  ///
  /// - Throws: `INVALID_ARGUMENT` if a read-only transaction has writes; `ABORTED` if data that an
  ///   optimistic transaction has read changed meanwhile.
  fileprivate func check(_ writes: [Write], in database: Database) throws(StatusError) {
    switch mode {
    case .pessimistic: return
    case .readOnly:
      guard writes.isEmpty else {
        throw StatusError(
          .invalidArgument,
          "Cannot modify entities in a read-only transaction."
        )
      }
    case .optimistic:
      guard let readTime else { return }
      guard database.log.horizon <= readTime else { throw .contention }
      var seen: Set<ObjectIdentifier> = []
      for entry in database.log.entries(after: readTime)
      where seen.insert(ObjectIdentifier(entry.record)).inserted {
        let record = entry.record
        // Check every later state: the document may have entered a query's result and left it
        // again.
        let states = record.past.reversed().prefix { $0.until > readTime }.map(\.document)
        if hasRead(record.name, record.key, states + [record.document]) { throw .contention }
      }
    }
  }
}

extension Store.State {
  /// Returns the transactions whose locks block a commit.
  ///
  /// If the commit would wait in a deadlock, the youngest transaction is aborted, so that the
  /// others continue at once.
  ///
  /// - Throws: `ABORTED` if the youngest transaction is the commit's own.
  mutating func blockers(
    of changes: [StagedChange],
    in database: DatabaseName,
    by id: TransactionID?,
    at now: Timestamp
  ) throws(StatusError) -> Set<TransactionID> {
    while true {
      var blockers = transactions.readers(of: changes, in: database, besides: id)
      for other in blockers where transactions.transaction(other)?.isOver(at: now) ?? true {
        abort(other)
        blockers.remove(other)
      }
      guard !blockers.isEmpty, let id, let victim = victim(id, waitingFor: blockers) else {
        return blockers
      }
      abort(victim)
      if victim == id { throw .contention }
    }
  }
}
