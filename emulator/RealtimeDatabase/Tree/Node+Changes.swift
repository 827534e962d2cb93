/// A node whose value, priority or kind differs between two trees.
struct NodeChange {
  var keys: [NodeKey]
  /// The value and priority of an old node without children, or the priority of one with children.
  var old: Node?
  var new: Node?
}

extension Node? {
  /// Calls `body` with each node that is a value or has a priority, and differs between two trees.
  /// The time grows with the size of the changed parts.
  ///
  /// - Parameter keys: The keys from the root to this node.
  func forEachChange<Failure: Error>(
    to new: Node?,
    at keys: [NodeKey],
    _ body: (NodeChange) throws(Failure) -> Void
  ) throws(Failure) {
    let old = self
    if let old, let new, old === new { return }
    if !old.own.isEqual(to: new.own) || old?.priority != new?.priority {
      try body(NodeChange(keys: keys, old: old, new: new))
    }
    let (left, right) = (old?.children ?? SortedTree(), new?.children ?? SortedTree())
    for (key, child) in left {
      try Node?.some(child).forEachChange(to: right[key], at: keys + [key], body)
    }
    for (key, child) in right where left[key] == nil {
      try Node?.none.forEachChange(to: child, at: keys + [key], body)
    }
  }

  /// The node if it is a value.
  private var own: Node? { self?.leaf == nil ? nil : self }
}
