package import Core
package import FirestoreModel
import Synchronization

/// A check of a read, such as one by security rules.
///
/// The store calls it under its lock with the state that is read, before it reads or locks
/// anything else. So the check must be quick, and must not call the store. If it throws, the read
/// fails with the error and has no effect.
package typealias ReadCheck = @Sendable (DatabaseState) throws(StatusError) -> Void

extension Store {
  /// Returns a document as of the last commit, or `nil` if it doesn't exist.
  package func document(_ name: DocumentName) -> Document? {
    state.withLock { $0.databases[name.database]?.document(name) }
  }

  /// Returns a document as of the last commit, or `nil` if it doesn't exist.
  ///
  /// - Throws: The error of the check.
  package func document(
    _ name: DocumentName,
    check: ReadCheck
  ) throws(StatusError) -> Document? {
    try state.withLock { state throws(StatusError) in
      let database = state.database(name.database)
      let time = state.readTime(at: clock())
      try check(DatabaseState(of: database, at: time, now: time))
      return database.document(name)
    }
  }

  /// Makes a check of the state that `consistency` selects, without reading anything else.
  package func attemptCheck(
    _ check: @escaping ReadCheck,
    in database: DatabaseName,
    _ consistency: ReadConsistency
  ) throws(StatusError) -> MaybePending<Void> {
    try read(in: database, consistency, check: check, blockedBy: { _ in false }) { _, _ in }
  }

  /// Returns several documents in one consistent state. Documents that don't exist are left out.
  ///
  /// - Returns: The documents, and the time of the state.
  package func attemptDocuments(
    _ names: [DocumentName],
    in database: DatabaseName,
    _ consistency: ReadConsistency,
    check: ReadCheck? = nil
  ) throws(StatusError) -> MaybePending<(documents: [DocumentName: Document], readTime: Timestamp)>
  {
    let keys = names.map { KeyBytes($0.path) }
    return try read(
      in: database,
      consistency,
      check: check,
      blockedBy: { changes in
        changes.contains { keys.contains($0.key) }
      }
    ) { state, snapshot in
      if let transaction = snapshot.transaction {
        state.transactions.read(names, by: transaction)
      }
      var documents: [DocumentName: Document] = [:]
      let database = state.database(database)
      for (name, key) in zip(names, keys) {
        documents[name] = database.record(key)?.document(at: snapshot.time.microseconds)
      }
      return (documents, snapshot.time)
    }
  }

  /// Starts reading a query's result.
  ///
  /// - Parameters:
  ///   - parent: The document below which the query selects, or the root. The document need not
  ///     exist.
  /// - Throws: `INVALID_ARGUMENT` with Firestore's text for an invalid query; `FAILED_PRECONDITION`
  ///   if the query needs an index that isn't declared.
  package func attemptQuery(
    _ query: StructuredQuery,
    parent: ResourceName,
    _ consistency: ReadConsistency,
    check: ReadCheck? = nil
  ) throws(StatusError) -> MaybePending<QueryCursor> {
    try attemptReading(PreparedQuery(query, parent: parent), consistency, check: check)
  }

  func attemptReading(
    _ query: PreparedQuery,
    _ consistency: ReadConsistency,
    check: ReadCheck?
  ) throws(StatusError) -> MaybePending<QueryCursor> {
    guard let check else {
      try indexes?.check(query)
      return try attemptUncheckedReading(query, consistency)
    }
    return try attemptUncheckedReading(query, consistency) { state throws(StatusError) in
      try check(state)
      try self.indexes?.check(query)
    }
  }

  /// Starts reading the result of a query that the emulator itself makes. It needs no declared
  /// index.
  func attemptUncheckedReading(
    _ query: PreparedQuery,
    _ consistency: ReadConsistency,
    check: ReadCheck? = nil
  ) throws(StatusError) -> MaybePending<QueryCursor> {
    try read(
      in: query.database,
      consistency,
      check: check,
      blockedBy: { changes in
        changes.contains { change in
          [change.before, change.after].contains { document in
            document.map { query.matches($0, change.key) } ?? false
          }
        }
      }
    ) { state, snapshot in
      var number = 0
      if let transaction = snapshot.transaction {
        number = state.transactions.read(query, by: transaction)
      }
      let reading = QueryReading(
        query,
        at: snapshot.time.microseconds,
        in: state.database(query.database)
      )
      return QueryCursor(
        reading,
        at: snapshot.time,
        transaction: snapshot.transaction.map { ($0, number) },
        in: self
      )
    }
  }

  // MARK: Snapshots

  /// The state that a read sees.
  struct ReadSnapshot {
    let time: Timestamp
    let transaction: TransactionID?
  }

  /// Runs a closure that reads the state selected by `consistency`.
  ///
  /// - Parameters:
  ///   - check: A check that the read must pass.
  ///   - blockedBy: A closure that returns whether a commit's changes affect the data to read. A
  ///     transaction's read waits for such commits if they are already waiting, because new locks
  ///     could otherwise block them forever.
  func read<Success>(
    in database: DatabaseName,
    _ consistency: ReadConsistency,
    check: ReadCheck? = nil,
    blockedBy: @escaping @Sendable ([StagedChange]) -> Bool,
    _ body: @escaping @Sendable (inout State, ReadSnapshot) throws(StatusError) -> Success
  ) throws(StatusError) -> MaybePending<Success> {
    switch consistency {
    case .latest, .readTime:
      let success = try state.withLock { state throws(StatusError) in
        let time: Timestamp =
          if case .readTime(let time) = consistency {
            try self.checked(readTime: time, in: database, &state)
          } else {
            state.readTime(at: clock())
          }
        try self.make(check, of: database, at: time, &state)
        return try body(&state, ReadSnapshot(time: time, transaction: nil))
      }
      return .done(success)
    case .transaction(let id):
      return try attempt(for: id) { state, isLast throws(StatusError) in
        let now = self.clock()
        let transaction = try state.transactions.use(id, in: database, at: now)
        let snapshot = transaction.mode == .pessimistic ? nil : transaction.readTime
        let time: Timestamp =
          if let snapshot {
            try self.checked(
              readTime: Timestamp(microseconds: snapshot),
              in: database,
              &state
            )
          } else {
            state.readTime(at: now)
          }
        try self.make(check, of: database, at: time, &state)
        // The read waits only for fairness to other commits, so the last attempt doesn't wait.
        if transaction.mode == .pessimistic, !isLast {
          let blockers = state.commitsAhead(of: id, in: database, where: blockedBy)
          guard blockers.isEmpty else { return .blocked(by: blockers, changes: []) }
        }
        if snapshot == nil { state.transactions.setReadTime(time.microseconds, of: id) }
        return .done(try body(&state, ReadSnapshot(time: time, transaction: id)))
      }
    }
  }

  /// Makes a check of a database's state at a time.
  private func make(
    _ check: ReadCheck?,
    of database: DatabaseName,
    at time: Timestamp,
    _ state: inout State
  ) throws(StatusError) {
    guard let check else { return }
    let now = state.readTime(at: clock())
    try check(DatabaseState(of: state.database(database), at: time, now: now))
  }

  /// Checks a read time and returns it.
  ///
  /// - Throws: `INVALID_ARGUMENT` or `FAILED_PRECONDITION` for a time that can't be read.
  func checked(
    readTime: Timestamp,
    in database: DatabaseName,
    _ state: inout State
  ) throws(StatusError) -> Timestamp {
    let now = state.readTime(at: clock())
    guard readTime.nanoseconds.isMultiple(of: 1_000) else {
      throw StatusError(.invalidArgument, "The requested 'read_time' is not a whole microsecond.")
    }
    guard readTime <= now else {
      throw StatusError(
        .invalidArgument,
        "The requested 'read_time' cannot be in the future."
      )
    }
    guard now.duration(since: readTime) <= limits.history,
      state.databases[database]?.log.horizon ?? 0 <= readTime.microseconds
    else {
      throw StatusError(.failedPrecondition, "The requested 'read_time' is too old.")
    }
    return readTime
  }
}

extension Store.State {
  /// Returns the transactions that have to end before a transaction may read.
  ///
  /// If a waiting commit would change the data to read, the result includes the commit's
  /// transaction and the transactions that block the commit. Commits that wait for this transaction
  /// are ignored.
  fileprivate func commitsAhead(
    of id: TransactionID,
    in database: DatabaseName,
    where isConcerned: ([StagedChange]) -> Bool
  ) -> Set<TransactionID> {
    var blockers: Set<TransactionID> = []
    for operation in queue
    where operation.transaction != id && operation.changes.first?.name.database == database
      && isConcerned(operation.changes)
    {
      var needed = operation.blockers
      if let transaction = operation.transaction { needed.insert(transaction) }
      if !isCycle(id, waitingFor: needed) { blockers.formUnion(needed) }
    }
    return blockers
  }
}
