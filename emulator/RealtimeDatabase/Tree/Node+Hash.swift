import Core
import Cryptography
import Synchronization

/// The hash by which a client says which state it knows: of the node that a transaction has read,
/// or that a listener has kept.
///
/// Source: `hash()` in ChildrenNode.ts and LeafNode.ts of Firebase's Web SDK.
extension Node {
  /// The hash in base64. A changed tree computes it anew only for its changed nodes.
  package var hash: String {
    if let known = knownHash.withLock(\.self) { return known }
    let hash = computedHash
    knownHash.withLock { $0 = hash }
    return hash
  }

  private var computedHash: String {
    var text: [UInt8] = []
    if let priority { text += "priority:".utf8 + Self.hashed(priority) + ":".utf8 }
    switch content {
    case .leaf(let leaf): text += Self.hashed(leaf)
    case .children(let children):
      for (key, child) in Self.byPriority(children) {
        text += ":\(key.string):\(child.hash)".utf8
      }
    }
    return Data(SHA1.digest(text)).base64EncodedString()
  }

  private static func hashed(_ leaf: Leaf) -> [UInt8] {
    switch leaf {
    case .boolean(let value): Array("boolean:\(value)".utf8)
    case .string(let value): Array("string:\(value)".utf8)
    case .number(let value):
      Array(
        "number:\(withUnsafeBytes(of: value.bitPattern.bigEndian, Array.init).hexadecimal)".utf8
      )
    }
  }

  private static func byPriority(
    _ children: SortedTree<NodeKey, Node>
  ) -> [(key: NodeKey, value: Node)] {
    let entries = Array(children)
    guard entries.contains(where: { $0.value.priority != nil }) else { return entries }
    return entries.sorted {
      ChildPosition($0.key, $0.value, by: .priority)
        < ChildPosition($1.key, $1.value, by: .priority)
    }
  }
}

extension Node? {
  /// The hash in base64; the hash of an empty node is empty.
  package var hash: String { self?.hash ?? "" }
}
