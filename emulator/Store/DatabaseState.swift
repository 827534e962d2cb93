package import Core
package import FirestoreModel

/// The documents of a database at one time, for a check that the store makes.
///
/// It is valid only while the check runs, because the store's lock guards it.
package struct DatabaseState {
  private let database: Database
  /// The time of the state.
  package let time: Timestamp
  /// The current time, which is later than `time` if the state is in the past.
  package let now: Timestamp

  init(of database: Database, at time: Timestamp, now: Timestamp) {
    self.database = database
    self.time = time
    self.now = now
  }

  /// Returns a document, or `nil` if it doesn't exist.
  package func document(_ path: ResourcePath) -> Document? {
    database.record(KeyBytes(path))?.document(at: time.microseconds)
  }
}

/// A check of a read, such as one by security rules.
///
/// The store calls it under its lock with the state that is read, before it reads or locks
/// anything else. So the check must be quick, and must not call the store. If it throws, the read
/// fails with the error and has no effect.
package typealias ReadCheck = @Sendable (DatabaseState) throws(StatusError) -> Void

/// A check of a commit, such as one by security rules.
///
/// The store calls it under its lock, before it checks preconditions and before it waits for
/// locks. So the check must be quick, and must not call the store. If it throws, the commit fails
/// with the error and changes nothing. If the commit waits for locks, the check is made again.
package typealias CommitCheck = @Sendable (StagedCommit) throws(StatusError) -> Void
