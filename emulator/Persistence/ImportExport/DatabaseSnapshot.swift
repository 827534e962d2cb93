import Core
import FirestoreModel
import Store

/// A snapshot of several databases as of one instant.
struct DatabaseSnapshot {
  private static let portion = 256

  private let store: Store
  private(set) var time: Timestamp?

  init(of store: Store) { self.store = store }

  /// Passes a database's documents to a closure, in the order of their names.
  ///
  /// It reads a few at a time, so that the store serves others in between.
  ///
  /// - Throws: `ABORTED` if so much has changed since the first read that its state is dropped; the
  ///   errors of `body`.
  mutating func read(
    _ database: DatabaseName,
    _ body: (Document) throws(StatusError) -> Void
  ) throws(StatusError) {
    let cursor = try cursor(over: database)
    time = cursor.readTime
    while true {
      let documents = try cursor.next(Self.portion)
      if documents.isEmpty { return }
      for document in documents { try body(document) }
    }
  }

  func cursor(over database: DatabaseName) throws(StatusError) -> QueryCursor {
    do throws(StatusError) {
      let attempt = try store.attemptQuery(
        .everything,
        parent: ResourceName(database: database),
        time.map(ReadConsistency.readTime) ?? .latest
      )
      guard case .done(let cursor) = attempt else {
        throw StatusError(.internal, "a read outside of transactions had to wait")
      }
      return cursor
    } catch {
      // The read time has become too old meanwhile.
      throw error.code == .failedPrecondition ? StatusError(.aborted, error.message) : error
    }
  }
}
