/// An observer of a store's commits that makes events of them, as a transactional outbox does.
///
/// The store calls the observer in the order of commits, while it holds its own lock. So the
/// observer must be quick, and must not call the store.
package protocol CommitObserver: Sendable {
  /// Prepares the events of a commit, before anybody can read the commit's result.
  ///
  /// - Returns: The events, or `nil` if there are none.
  func prepare(_ commit: Commit) -> (any CommitEvents)?
}

/// The unpublished events of one commit.
package protocol CommitEvents: Sendable {
  /// The records from which the observer can restore the events after a restart.
  ///
  /// The records and the commit are written to the journal atomically. This property is read only
  /// if there is a journal.
  var records: [JournalRecord] { get }

  /// Publishes the events.
  ///
  /// The store calls this method under its lock when the commit is final. If the commit is undone,
  /// the method isn't called.
  func publish()
}

extension CommitEvents {
  package var records: [JournalRecord] { [] }
}
