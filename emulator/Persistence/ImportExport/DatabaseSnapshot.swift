import Core
import FirestoreModel
import Store

/// The state of several databases at one time.
struct DatabaseSnapshot {
  private static let portion = 256

  private let store: Store
  private(set) var time: Timestamp?

  init(of store: Store) { self.store = store }

  /// Passes a database's documents to a closure, in the order of their names.
  ///
  /// It reads a few documents at a time, so that the store can serve other requests in between.
  ///
  /// - Throws: `ABORTED` if the state at the time of the first read is no longer in the store's
  ///   history; the errors of `body`.
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
        throw StatusError(.internal, "a read outside a transaction had to wait")
      }
      return cursor
    } catch {
      // The store's history no longer reaches back to the read time.
      throw error.code == .failedPrecondition ? StatusError(.aborted, error.message) : error
    }
  }
}
