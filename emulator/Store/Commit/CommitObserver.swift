/// A participant in a store's commits that derives events from them, as a transactional outbox does.
///
/// The store calls it under the store's lock, in commit order. It must be quick and never call the
/// store.
package protocol CommitObserver: Sendable {
  /// Prepares the events of a commit, before anybody can read the commit's result.
  ///
  /// - Returns: The events, or `nil` if there are none.
  func prepare(_ commit: Commit) -> (any CommitEvents)?
}

/// The unpublished events of one commit.
package protocol CommitEvents: Sendable {
  /// The records that restore the events after a restart.
  ///
  /// The journal keeps them and the commit atomically. They are read only if there is a journal.
  var records: [JournalRecord] { get }

  /// Publishes the events.
  ///
  /// Called under the store's lock when the commit is final, and never if the commit was undone.
  func publish()
}

extension CommitEvents {
  package var records: [JournalRecord] { [] }
}
