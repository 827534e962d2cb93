/// A participant in a store's commits that derives events from them, as a transactional outbox does.
///
/// The store calls it under its lock, in commit order: it is quick, and never calls the store.
package protocol CommitObserver: Sendable {
  /// Prepares the events of a commit, before anybody can read the commit's result.
  ///
  /// - Returns: nil if there are none.
  func prepare(_ commit: Commit) -> (any CommitEvents)?
}

/// The events of one commit, which nobody has seen yet.
package protocol CommitEvents: Sendable {
  /// The records that bring the events back after a restart. They and the commit survive together, or
  /// neither does. Read only if there is a journal.
  var records: [JournalRecord] { get }

  /// Publishes the events: called once nothing undoes the commit any more, and never if it was undone.
  /// It is called under the store's lock.
  func publish()
}

extension CommitEvents {
  package var records: [JournalRecord] { [] }
}
