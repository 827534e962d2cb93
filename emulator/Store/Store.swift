package import FirestoreModel
package import RPCStatus
import Synchronization

/// Firestore in memory: one writer at a time, and every reader sees the state between two commits.
///
/// All databases of a process share one commit clock, so that times from different databases can
/// be compared. Nothing here suspends: a commit is finished when the call returns.
package final class Store: Sendable {
  struct State {
    var databases: [DatabaseName: Database] = [:]
    /// The latest time handed out, to a commit or to a read.
    private var latest = Timestamp(microseconds: 0)

    /// A time after every commit and read so far.
    mutating func nextCommitTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds + 1))
      return latest
    }

    /// A time at which exactly the commits so far have happened. Later commits come after it.
    mutating func readTime(at now: Timestamp) -> Timestamp {
      latest = Timestamp(microseconds: max(now.microseconds, latest.microseconds))
      return latest
    }
  }

  let state = Mutex(State())
  let clock: @Sendable () -> Timestamp
  private let onCommit: @Sendable (Commit) -> Void

  /// - Parameters:
  ///   - clock: What time it is; commit times follow it, but never stand still or go back.
  ///   - onCommit: Called for every successful commit before anybody can read its result, in
  ///     commit order. It holds up the store and must not call it.
  package init(
    clock: @escaping @Sendable () -> Timestamp = { .now },
    onCommit: @escaping @Sendable (Commit) -> Void = { _ in }
  ) {
    self.clock = clock
    self.onCommit = onCommit
  }

  /// Applies all writes in order, each seeing the ones before it, or none of them.
  ///
  /// - Throws: What Firestore answers: `INVALID_ARGUMENT` for a write it refuses; `NOT_FOUND`,
  ///   `ALREADY_EXISTS` or `FAILED_PRECONDITION` for a precondition that doesn't hold.
  package func commit(
    _ writes: [Write],
    in database: DatabaseName,
    cause: CommitCause = .init()
  ) throws(StatusError) -> Commit {
    let writes = try WriteValidation.checked(writes, in: database)
    return try state.withLock { state throws(StatusError) in
      let time = state.nextCommitTime(at: clock())
      var staging = Staging(at: time)
      for write in writes {
        try staging.apply(write) { state.databases[database]?.document(at: $0.path) }
      }
      let (results, changes) = try staging.settle()
      for change in changes {
        state.databases[database, default: Database()].set(change.after, at: change.name.path)
      }
      let commit = Commit(
        database: database,
        time: time,
        results: results,
        changes: changes,
        cause: cause
      )
      onCommit(commit)
      return commit
    }
  }

  /// Drops every document of a database at once. Nobody is told: there are no changes.
  package func clear(_ database: DatabaseName) {
    state.withLock { $0.databases[database] = nil }
  }

  /// The databases written to since they were last cleared, by name.
  package var databases: [DatabaseName] {
    state.withLock { Array($0.databases.keys) }
      .sorted { orderBytes($0.description.utf8, $1.description.utf8) < 0 }
  }
}
