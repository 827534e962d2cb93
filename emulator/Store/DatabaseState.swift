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
