package import Core
package import FirestoreModel
package import Store

/// An observer of databases, such as the dispatcher, which turns their changes into events.
package protocol DatabaseObserver: Sendable {
  /// Returns the events of a change, or `nil` if it has none.
  ///
  /// The events' records are written to the journal together with the change. They are published
  /// when the change is visible. The databases are locked meanwhile.
  func prepare(_ change: DatabaseChange) -> (any CommitEvents)?
}

/// A change of one database, and its cause.
package struct DatabaseChange: Sendable {
  package let database: ByteKey
  let old: Node?
  let new: Node?
  let write: TreeWrite
  package let caller: DatabaseCaller
  /// The W3C trace context of the request.
  package let traceparent: String?
  /// The name of the function on whose port the request arrived, or `nil` for the shared port.
  package let function: String?

  /// The keys of the paths that the request wrote.
  package var paths: some Collection<[String]> {
    write.assignments.lazy.map { $0.path.keys.map(\.string) }
  }

  /// A node that has changed.
  package struct ChangedNode: Sendable {
    /// The path without a slash at its start.
    package let path: String
    package let before: JSONValue
    package let after: JSONValue
  }

  /// Returns the changed nodes at the places that a pattern names. Changes of priorities alone don't
  /// count. The time grows with the number of changes, not with the size of the database.
  package func nodes(matching pattern: PathPattern) -> [ChangedNode] {
    guard let depth = pattern.segmentCount else { return [] }
    var found: [ChangedNode] = []
    func visit(_ old: Node?, _ new: Node?, _ keys: [NodeKey]) {
      if old === new { return }
      guard keys.count < depth else {
        let (before, after) = (old.json(.value), new.json(.value))
        guard before != after else { return }
        let path = TreePath(keys).description
        return found.append(ChangedNode(path: path, before: before, after: after))
      }
      if let text = pattern.literal(at: keys.count) {
        let key = NodeKey(unchecked: text)
        return visit(old?[key], new?[key], keys + [key])
      }
      let children = (old?.children ?? SortedTree(), new?.children ?? SortedTree())
      children.0.forEachDifference(to: children.1) { key, before, after in
        if pattern.matches(key.string, at: keys.count) { visit(before, after, keys + [key]) }
      }
    }
    visit(old, new, [])
    return found
  }
}
