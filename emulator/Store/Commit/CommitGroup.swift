import Core
import FirestoreModel

/// The commits that are applied in memory but not yet in the journal. Nobody may read their changes
/// yet.
struct CommitGroup {
  enum Step {
    case commit(Commit, [StagedChange], Database, [any CommitEvents])
    /// The clearing of a database. Its old contents are kept until the journal has the clearing.
    case clear(DatabaseName, at: Timestamp, dropped: Database)
  }

  var steps: [Step] = []
  /// The other components' records to write to the journal together with the commits.
  var records: [JournalRecord] = []
  /// Closures that complete the callers' promises. They are called after the lock is released, with
  /// the error if the group failed.
  var answers: [@Sendable (StatusError?) -> Void] = []

  /// The entries for the journal. A commit without changes needs no entry.
  var entries: [JournalEntry] {
    var entries: [JournalEntry] = []
    for step in steps {
      switch step {
      case .commit(let commit, _, _, let events):
        if !commit.changes.isEmpty { entries.append(.commit(commit)) }
        entries += events.flatMap(\.records).map(JournalEntry.record)
      case .clear(let name, let time, _): entries.append(.clear(name, at: time))
      }
    }
    return entries + records.map(JournalEntry.record)
  }
}

extension Store.State {
  /// Completes an operation's promise, at once or, within a group, after the group is written.
  ///
  /// Within a group, a failure also has to wait. Another commit of the group may have caused it,
  /// and that commit is undone if the journal fails.
  mutating func answer<Success>(
    _ promise: Promise<Success>,
    _ result: Result<Success, StatusError>
  ) {
    guard group != nil else { return promise.complete(result) }
    group?.answers.append { error in promise.complete(error.map(Result.failure) ?? result) }
  }

  /// Restores the state from before a group.
  mutating func revert(_ group: CommitGroup) {
    for step in group.steps.reversed() {
      switch step {
      case .commit(_, let changes, let database, _):
        for change in changes.reversed() { database.revert(change) }
      case .clear(let name, _, let dropped): databases[name] = dropped
      }
    }
  }
}
