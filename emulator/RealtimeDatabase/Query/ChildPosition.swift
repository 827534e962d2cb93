/// The order of a node's children.
enum ChildOrder: Hashable, Sendable {
  case priority
  case key
  case value
  /// The node at a path below each child.
  case child(TreePath)
}

/// The value that a child is ordered by: empty nodes first, then false, true, numbers, texts, and
/// nodes with children.
enum OrderValue: Sendable {
  case empty
  case leaf(Leaf)
  case object

  init(_ leaf: Leaf?) { self = leaf.map { .leaf($0) } ?? .empty }

  init(_ node: Node?) {
    guard let node else {
      self = .empty
      return
    }
    self = node.leaf.map { .leaf($0) } ?? .object
  }

  private var rank: Int {
    switch self {
    case .empty: 0
    case .leaf(.boolean(false)): 1
    case .leaf(.boolean(true)): 2
    case .leaf(.number): 3
    case .leaf(.string): 4
    case .object: 5
    }
  }

  /// Compares two values: a negative number if the first one comes first, zero if they are equal.
  static func compare(_ left: OrderValue, _ right: OrderValue) -> Int {
    switch (left, right) {
    case (.leaf(.number(let left)), .leaf(.number(let right))):
      left < right ? -1 : left > right ? 1 : 0
    case (.leaf(.string(let left)), .leaf(.string(let right))):
      left.precedesInUTF16(right) ? -1 : right.precedesInUTF16(left) ? 1 : 0
    default: left.rank - right.rank
    }
  }
}

/// The place of a child in an order: by its value, then by its key.
struct ChildPosition: Comparable, Sendable {
  let value: OrderValue
  let key: NodeKey

  init(_ key: NodeKey, _ child: Node, by order: ChildOrder) {
    self.key = key
    value =
      switch order {
      case .key: .empty
      case .priority: OrderValue(child.priority)
      case .value: OrderValue(child)
      case .child(let path): OrderValue(Node?.some(child)[path])
      }
  }

  static func == (left: ChildPosition, right: ChildPosition) -> Bool {
    left.key == right.key && OrderValue.compare(left.value, right.value) == 0
  }

  static func < (left: ChildPosition, right: ChildPosition) -> Bool {
    let order = OrderValue.compare(left.value, right.value)
    return order == 0 ? left.key < right.key : order < 0
  }
}
