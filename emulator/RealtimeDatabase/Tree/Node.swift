import Core
import Synchronization

/// A node that exists: a value, or an object with children. An empty node is `nil`.
///
/// Nodes are immutable. A changed tree shares its unchanged nodes with the old one.
package final class Node: Sendable {
  enum Content: Sendable {
    case leaf(Leaf)
    /// At least one child.
    case children(SortedTree<NodeKey, Node>)
  }

  let content: Content
  /// The number or text by which queries may order the node, or `nil` if it has none.
  let priority: Leaf?
  /// The hash, once it was asked for.
  let knownHash = Mutex<String?>(nil)

  init(_ leaf: Leaf, priority: Leaf? = nil) {
    content = .leaf(leaf)
    self.priority = priority
  }

  /// Creates a node with children, or returns `nil` if there are none.
  init?(children: SortedTree<NodeKey, Node>, priority: Leaf? = nil) {
    guard !children.isEmpty else { return nil }
    content = .children(children)
    self.priority = priority
  }

  private init(_ content: Content, priority: Leaf?) {
    self.content = content
    self.priority = priority
  }

  package var leaf: Leaf? { if case .leaf(let leaf) = content { leaf } else { nil } }

  var children: SortedTree<NodeKey, Node> {
    if case .children(let children) = content { children } else { SortedTree() }
  }

  subscript(key: NodeKey) -> Node? { children[key] }

  func withPriority(_ priority: Leaf?) -> Node { Node(content, priority: priority) }
}

/// Ends a comparison.
private struct Difference: Error {}

extension Node? {
  package subscript(path: TreePath) -> Node? { self[path.keys[...]] }

  subscript(keys: ArraySlice<NodeKey>) -> Node? {
    var node = self
    for key in keys {
      guard let next = node else { return nil }
      node = next[key]
    }
    return node
  }

  /// Returns the tree with another node at a path. Objects that become empty vanish.
  func setting(_ path: TreePath, to node: Node?) -> Node? { setting(path.keys[...], to: node) }

  private func setting(_ keys: ArraySlice<NodeKey>, to node: Node?) -> Node? {
    guard let key = keys.first else { return node }
    // To delete below a value changes nothing.
    if let self, self.leaf != nil, node == nil { return self }
    var children = self?.children ?? SortedTree()
    children[key] = children[key].setting(keys.dropFirst(), to: node)
    return Node(children: children, priority: self?.priority)
  }

  /// Returns whether two trees are equal, priorities included. Shared parts take no time.
  func isEqual(to other: Node?) -> Bool {
    guard let left = self, let right = other else { return self == nil && other == nil }
    if left === right { return true }
    guard left.priority == right.priority else { return false }
    switch (left.content, right.content) {
    case (.leaf(let left), .leaf(let right)): return left == right
    case (.children(let left), .children(let right)):
      guard left.count == right.count else { return false }
      do throws(Difference) {
        try left.forEachDifference(to: right) { (_, before, after) throws(Difference) in
          guard before.isEqual(to: after) else { throw Difference() }
        }
        return true
      } catch {
        return false
      }
    default: return false
    }
  }
}
