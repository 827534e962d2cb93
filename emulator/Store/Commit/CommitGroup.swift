import Core
import FirestoreModel

/// What has changed in memory and isn't in the journal yet: nobody may see it.
struct CommitGroup {
  enum Step {
    case commit(Commit, [StagedChange], Database, [any CommitEvents])
    /// The database as it was is kept until it is certain that it is gone.
    case clear(DatabaseName, at: Timestamp, dropped: Database)
  }

  var steps: [Step] = []
  /// What is to be kept beside commits.
  var records: [JournalRecord] = []
  /// Called when the lock is free again, with the error if there was one.
  var answers: [@Sendable (StatusError?) -> Void] = []

  /// What the journal has to keep: a commit without changes is nothing to it.
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
  /// Gives an operation's result to whoever waits for it, as soon as it is certain.
  ///
  /// A failure isn't either while it may rest on what another commit of the group has changed.
  mutating func answer<Success>(
    _ promise: Promise<Success>,
    _ result: Result<Success, StatusError>
  ) {
    guard group != nil else { return promise.complete(result) }
    group?.answers.append { error in promise.complete(error.map(Result.failure) ?? result) }
  }

  /// Makes memory what it was before a group.
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
