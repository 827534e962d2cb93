/// The children of a node in the order of a query.
struct ChildIndex: Sendable {
  let order: ChildOrder
  /// The places, with the keys as values. In the order of keys, this is empty and `children` counts.
  private var positions = SortedTree<ChildPosition, NodeKey>()
  private(set) var children: SortedTree<NodeKey, Node>

  init(_ node: Node?, by order: ChildOrder) {
    self.order = order
    children = node?.children ?? SortedTree()
    guard order != .key else { return }
    positions = SortedTree(
      sorted: children.map { (ChildPosition($0.key, $0.value, by: order), $0.key) }
        .sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
    )
  }

  var count: Int { children.count }

  /// Replaces the children, of which only those with some keys have changed.
  mutating func update(_ node: Node?, changed keys: [NodeKey]) {
    let new = node?.children ?? SortedTree()
    if order != .key {
      for key in keys {
        if let old = children[key] { positions[ChildPosition(key, old, by: order)] = nil }
        if let child = new[key] { positions[ChildPosition(key, child, by: order)] = key }
      }
    }
    children = new
  }

  func key(rank: Int) -> NodeKey {
    order == .key ? children[rank: rank].key : positions[rank: rank].value
  }

  /// Returns the place of a child, or `nil` if there is no such child.
  func rank(of key: NodeKey) -> Int? {
    guard let child = children[key] else { return nil }
    if order == .key { return children.rank { $0 < key } }
    let position = ChildPosition(key, child, by: order)
    return positions.rank { $0 < position }
  }

  /// Returns the places of a query's results.
  func window(of query: TreeQuery) -> Range<Int> {
    let start = query.start.map { bound in
      rank { bound.isInclusive ? bound.compare($0) < 0 : bound.compare($0) <= 0 }
    }
    let end = query.end.map { bound in
      rank { bound.isInclusive ? bound.compare($0) <= 0 : bound.compare($0) < 0 }
    }
    let lower = start ?? 0
    let upper = max(lower, end ?? count)
    guard let limit = query.limit, upper - lower > limit.count else { return lower..<upper }
    return limit.isFromLast ? upper - limit.count..<upper : lower..<lower + limit.count
  }

  private func rank(_ isBefore: (ChildPosition) -> Bool) -> Int {
    guard order == .key else { return positions.rank(isBefore) }
    return children.rank { isBefore(ChildPosition(key: $0)) }
  }

  /// Returns the children of a query, as a node with only these children.
  func result(of query: TreeQuery, priority: Leaf?) -> Node? {
    let window = window(of: query)
    guard window.count < count else { return Node(children: children, priority: priority) }
    var entries: [(key: NodeKey, value: Node)] = []
    for rank in window {
      let key = key(rank: rank)
      if let child = children[key] { entries.append((key, child)) }
    }
    entries.sort { $0.key < $1.key }
    return Node(children: SortedTree(sorted: entries), priority: priority)
  }
}

extension ChildPosition {
  /// Creates the place of a key in the order of keys.
  fileprivate init(key: NodeKey) {
    self.key = key
    value = .empty
  }
}

extension Node? {
  /// Returns a query's part of the node.
  func result(of query: TreeQuery) -> Node? {
    // Queries have no results in a node without children.
    guard !query.isComplete, let self else { return self }
    return ChildIndex(self, by: query.order).result(of: query, priority: self.priority)
  }
}
