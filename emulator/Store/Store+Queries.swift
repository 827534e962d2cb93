package import FirestoreModel
import JSONCoding
package import RPCStatus
import Synchronization

extension Store {
  /// The documents that match a query, in its order, with the fields it selects.
  ///
  /// The store is held up only while the candidates are collected, not while they are filtered
  /// and sorted.
  ///
  /// - Parameter parent: The root or a document, which need not exist; the query looks below it.
  /// - Returns: The documents, and a time at which this was the answer.
  /// - Throws: `INVALID_ARGUMENT` in Firestore's words for a query it refuses.
  package func run(
    _ query: StructuredQuery,
    parent: ResourceName
  ) throws(StatusError) -> (documents: [Document], readTime: Timestamp) {
    guard parent.path.segments.count.isMultiple(of: 2) else {
      let name = parent.description
      throw StatusError(
        .invalidArgument,
        "Document parent name \(quoted(name)) lacks \"/\" at index \(name.utf8.count)."
      )
    }
    try query.validate()
    let (candidates, readTime) = state.withLock { state in
      (
        state.databases[parent.database]?
          .candidates(for: query.collection, below: parent.path) ?? [],
        state.readTime(at: clock())
      )
    }
    return (query.evaluated(over: candidates), readTime)
  }
}
