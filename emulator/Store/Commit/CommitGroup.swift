import Core
import FirestoreModel

/// The commits that are applied in memory but not yet in the journal: nobody may see them.
struct CommitGroup {
  enum Step {
    case commit(Commit, [StagedChange], Database, [any CommitEvents])
    /// A cleared database. Its old contents are kept until the clearing is certain.
    case clear(DatabaseName, at: Timestamp, dropped: Database)
  }

  var steps: [Step] = []
  /// The records to keep beside the commits.
  var records: [JournalRecord] = []
  /// The replies, called when the lock is free again, with the error if the group failed.
  var answers: [@Sendable (StatusError?) -> Void] = []

  /// The entries for the journal. A commit without changes has none.
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
  /// Completes an operation's promise as soon as its result is certain.
  ///
  /// Within a group, even a failure isn't certain: it may depend on another commit of the group.
  mutating func answer<Success>(
    _ promise: Promise<Success>,
    _ result: Result<Success, StatusError>
  ) {
    guard group != nil else { return promise.complete(result) }
    group?.answers.append { error in promise.complete(error.map(Result.failure) ?? result) }
  }

  /// Restores the state before a group.
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
