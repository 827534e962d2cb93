/// An immutable map whose entries are sorted by key: a weight-balanced tree.
///
/// A changed copy shares all unchanged parts with the original. So a change takes a time that grows
/// with the logarithm of the count, and a state can be kept while newer ones exist.
///
/// Source of the balance's parameters: Hirai and Yamamoto, "Balancing weight-balanced trees", 2011.
struct SortedTree<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  fileprivate final class Branch: Sendable {
    let key: Key
    let value: Value
    let left: Branch?
    let right: Branch?
    let count: Int

    init(_ key: Key, _ value: Value, _ left: Branch?, _ right: Branch?) {
      self.key = key
      self.value = value
      self.left = left
      self.right = right
      count = 1 + (left?.count ?? 0) + (right?.count ?? 0)
    }
  }

  private static var maximumRatio: Int { 3 }
  private static var doubleRotationRatio: Int { 2 }

  private var root: Branch?

  init() {}

  /// Creates a tree from entries that are sorted by their keys, without duplicates.
  init(sorted entries: [(key: Key, value: Value)]) {
    func branch(_ range: Range<Int>) -> Branch? {
      guard !range.isEmpty else { return nil }
      let middle = (range.lowerBound + range.upperBound) / 2
      return Branch(
        entries[middle].key,
        entries[middle].value,
        branch(range.lowerBound..<middle),
        branch(middle + 1..<range.upperBound)
      )
    }
    root = branch(entries.indices)
  }

  var count: Int { root?.count ?? 0 }
  var isEmpty: Bool { root == nil }

  subscript(key: Key) -> Value? {
    get {
      var branch = root
      while let next = branch {
        if key < next.key {
          branch = next.left
        } else if next.key < key {
          branch = next.right
        } else {
          return next.value
        }
      }
      return nil
    }
    set {
      if let newValue {
        root = Self.inserting(key, newValue, into: root)
      } else if self[key] != nil {
        root = Self.removing(key, from: root)
      }
    }
  }

  // MARK: Ranks

  /// The entry with a number of entries before it. As in an array, the rank must be below `count`.
  subscript(rank rank: Int) -> (key: Key, value: Value) {
    var rank = rank
    var branch = root
    while let next = branch {
      let before = next.left?.count ?? 0
      if rank < before {
        branch = next.left
      } else if rank == before {
        return (next.key, next.value)
      } else {
        rank -= before + 1
        branch = next.right
      }
    }
    preconditionFailure("the rank is out of bounds")
  }

  /// Returns the number of entries before a position.
  ///
  /// - Parameter isBefore: A predicate that is true for the keys before the position, and false for
  ///   the rest.
  func rank(_ isBefore: (Key) -> Bool) -> Int {
    var rank = 0
    var branch = root
    while let next = branch {
      if isBefore(next.key) {
        rank += 1 + (next.left?.count ?? 0)
        branch = next.right
      } else {
        branch = next.left
      }
    }
    return rank
  }

  // MARK: Changes

  private static func inserting(_ key: Key, _ value: Value, into branch: Branch?) -> Branch {
    guard let branch else { return Branch(key, value, nil, nil) }
    if key < branch.key {
      return balanced(branch, inserting(key, value, into: branch.left), branch.right)
    }
    if branch.key < key {
      return balanced(branch, branch.left, inserting(key, value, into: branch.right))
    }
    return Branch(key, value, branch.left, branch.right)
  }

  private static func removing(_ key: Key, from branch: Branch?) -> Branch? {
    guard let branch else { return nil }
    if key < branch.key {
      return balanced(branch, removing(key, from: branch.left), branch.right)
    }
    if branch.key < key {
      return balanced(branch, branch.left, removing(key, from: branch.right))
    }
    guard let left = branch.left else { return branch.right }
    guard let right = branch.right else { return left }
    let (successor, rest) = removingFirst(right)
    return balanced(successor, left, rest)
  }

  private static func removingFirst(_ branch: Branch) -> (first: Branch, rest: Branch?) {
    guard let left = branch.left else { return (branch, branch.right) }
    let (first, rest) = removingFirst(left)
    return (first, balanced(branch, rest, branch.right))
  }

  /// Returns a branch with an entry between two subtrees, of which one may have become too heavy.
  private static func balanced(_ entry: Branch, _ left: Branch?, _ right: Branch?) -> Branch {
    let (leftCount, rightCount) = (left?.count ?? 0, right?.count ?? 0)
    if leftCount + rightCount > 1 {
      if let right, rightCount > maximumRatio * leftCount {
        return rotatedLeft(entry, left, right)
      }
      if let left, leftCount > maximumRatio * rightCount {
        return rotatedRight(entry, left, right)
      }
    }
    return Branch(entry.key, entry.value, left, right)
  }

  private static func rotatedLeft(_ entry: Branch, _ left: Branch?, _ right: Branch) -> Branch {
    let outer = right.right?.count ?? 0
    guard let inner = right.left, inner.count >= doubleRotationRatio * outer else {
      let lower = Branch(entry.key, entry.value, left, right.left)
      return Branch(right.key, right.value, lower, right.right)
    }
    return Branch(
      inner.key,
      inner.value,
      Branch(entry.key, entry.value, left, inner.left),
      Branch(right.key, right.value, inner.right, right.right)
    )
  }

  private static func rotatedRight(_ entry: Branch, _ left: Branch, _ right: Branch?) -> Branch {
    let outer = left.left?.count ?? 0
    guard let inner = left.right, inner.count >= doubleRotationRatio * outer else {
      let lower = Branch(entry.key, entry.value, left.right, right)
      return Branch(left.key, left.value, left.left, lower)
    }
    return Branch(
      inner.key,
      inner.value,
      Branch(left.key, left.value, left.left, inner.left),
      Branch(entry.key, entry.value, inner.right, right)
    )
  }
}

extension SortedTree {
  /// Calls `body` with each key that may have another value in another tree, in the order of the
  /// keys: with the value here and the one there. Branches that both trees share take no time, so
  /// the time grows with the number of changes between two states of a tree, and the logarithm of
  /// the count.
  func forEachDifference<Failure: Error>(
    to other: SortedTree,
    _ body: (Key, Value?, Value?) throws(Failure) -> Void
  ) throws(Failure) {
    try Self.compare(root, other.root, body)
  }

  private static func compare<Failure: Error>(
    _ old: Branch?,
    _ new: Branch?,
    _ body: (Key, Value?, Value?) throws(Failure) -> Void
  ) throws(Failure) {
    if old === new { return }
    guard let entry = new ?? old else { return }
    let (before, after) = (divided(old, at: entry.key), divided(new, at: entry.key))
    try compare(before.left, after.left, body)
    try body(entry.key, before.value, after.value)
    try compare(before.right, after.right, body)
  }

  /// Returns the parts of a branch before and after a key, and the key's value. The parts may be out
  /// of balance.
  private static func divided(
    _ branch: Branch?,
    at key: Key
  ) -> (left: Branch?, value: Value?, right: Branch?) {
    guard let branch else { return (nil, nil, nil) }
    if key < branch.key {
      let part = divided(branch.left, at: key)
      return (part.left, part.value, Branch(branch.key, branch.value, part.right, branch.right))
    }
    if branch.key < key {
      let part = divided(branch.right, at: key)
      return (Branch(branch.key, branch.value, branch.left, part.left), part.value, part.right)
    }
    return (branch.left, branch.value, branch.right)
  }
}

extension SortedTree: Sequence {
  struct Iterator: IteratorProtocol {
    /// The branches whose left part has been visited, from the root down.
    private var open: [Branch] = []

    fileprivate init(_ root: Branch?) { descend(root) }

    private mutating func descend(_ branch: Branch?) {
      var branch = branch
      while let next = branch {
        open.append(next)
        branch = next.left
      }
    }

    mutating func next() -> (key: Key, value: Value)? {
      guard let branch = open.popLast() else { return nil }
      descend(branch.right)
      return (branch.key, branch.value)
    }
  }

  func makeIterator() -> Iterator { Iterator(root) }
}
