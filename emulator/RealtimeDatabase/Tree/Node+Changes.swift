extension Node? {
  /// Calls `body` with the keys of each node that is or was a value or has or had a priority, and
  /// differs between two trees. The time grows with the size of the changed parts.
  ///
  /// - Parameters:
  ///   - keys: The keys from the root to this node.
  ///   - body: A closure that gets the keys of a node, and the new node.
  func forEachChange<Failure: Error>(
    to new: Node?,
    at keys: [NodeKey],
    _ body: ([NodeKey], Node?) throws(Failure) -> Void
  ) throws(Failure) {
    let old = self
    if let old, let new, old === new { return }
    if old?.leaf != new?.leaf || old?.priority != new?.priority { try body(keys, new) }
    let (left, right) = (old?.children ?? SortedTree(), new?.children ?? SortedTree())
    try left.forEachDifference(to: right) { (key, before, after) throws(Failure) in
      try before.forEachChange(to: after, at: keys + [key], body)
    }
  }
}
