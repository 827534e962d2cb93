/// A query for some children of a node: an order, bounds, and a limit.
struct TreeQuery: Hashable, Sendable {
  /// An end of the range of children.
  struct Bound: Hashable, Sendable {
    /// The key within the children that have the bound's value.
    enum Key: Hashable, Sendable {
      case first
      case key(NodeKey)
      case last
    }

    /// The value, or `nil` for null. In the order of keys, it has no meaning.
    var value: Leaf?
    var key: Key
    var isInclusive: Bool

    /// Returns whether a child's place is before the bound, at it, or after it, as a negative
    /// number, zero or a positive number.
    func compare(_ position: ChildPosition) -> Int {
      let order = OrderValue.compare(position.value, OrderValue(value))
      guard order == 0 else { return order }
      switch key {
      case .first: return 1
      case .last: return -1
      case .key(let key): return position.key == key ? 0 : position.key < key ? -1 : 1
      }
    }
  }

  struct Limit: Hashable, Sendable {
    var count: Int
    /// A Boolean value that indicates whether the last children count, not the first ones.
    var isFromLast: Bool
  }

  var order = ChildOrder.priority
  var start: Bound?
  var end: Bound?
  var limit: Limit?

  /// A Boolean value that indicates whether the query has all children, whatever their order.
  var isComplete: Bool { start == nil && end == nil && limit == nil }
}
