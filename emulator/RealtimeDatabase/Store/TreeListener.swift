import Core
import NIOCore
import Synchronization

/// A change that a listener gets.
package final class TreeUpdate: Sendable {
  private enum Content: Sendable {
    case node(Node?)
    /// Nodes by paths relative to the update's.
    case members([(path: TreePath, node: Node?)])
  }

  /// The place of the data, from the database's root.
  package let path: TreePath
  private let content: Content

  /// Creates an update that replaces a node.
  init(path: TreePath, _ node: Node?) {
    self.path = path
    content = .node(node)
  }

  /// Creates an update that replaces some nodes below a path.
  init(path: TreePath, members: [(path: TreePath, node: Node?)]) {
    self.path = path
    content = .members(members)
  }

  /// A Boolean value that indicates whether the data has only the changed members, by paths.
  package var isMerge: Bool { if case .members = content { true } else { false } }

  /// Returns the data, encoded.
  func json(_ format: Node.Format) -> Data {
    let json: JSONValue =
      switch content {
      case .node(let node): node.json(format)
      case .members(let members):
        .object(JSONObject(members.map { ($0.path.description, $0.node.json(format)) }))
      }
    // Data from JSON is always JSON.
    return (try? JSON.encode(json)) ?? Data("null".utf8)
  }

  private let frames = Mutex<[ByteBuffer]?>(nil)

  /// The frames of the push to listeners without a tag. All such listeners share them.
  var untaggedFrames: [ByteBuffer] {
    frames.withLock { frames in
      if let frames { return frames }
      let new = MessageFrames.frames(of: ServerMessage.update(self, tag: nil))
      frames = new
      return new
    }
  }
}

/// A client's interest in a node, or in some of its children.
///
/// The closures are called while the database is locked, in the order of the changes. They must
/// return at once and must not use the database.
package final class TreeListener: Sendable {
  let path: TreePath
  let query: TreeQuery
  /// Who listens. It changes when another user signs in on the listener's connection.
  let caller: Mutex<DatabaseCaller>
  let onUpdate: @Sendable (TreeUpdate) -> Void
  /// Called when the rules no longer let the client read. The listener is then removed.
  let onCancel: @Sendable () -> Void

  init(
    path: TreePath,
    query: TreeQuery,
    caller: DatabaseCaller,
    onUpdate: @escaping @Sendable (TreeUpdate) -> Void,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.query = query
    self.caller = Mutex(caller)
    self.onUpdate = onUpdate
    self.onCancel = onCancel
  }
}
