import Core
import NIOCore
import Synchronization

/// A change that a listener gets.
final class TreeUpdate: Sendable {
  private enum Content: Sendable {
    case node(Node?)
    /// Nodes by paths relative to the update's.
    case members([(path: TreePath, node: Node?)])
  }

  /// The place of the data, from the database's root.
  let path: TreePath
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
  var isMerge: Bool { if case .members = content { true } else { false } }

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

  private let sharedFrames = Mutex<[ByteBuffer]?>(nil)

  /// Returns the frames of the push to a listener. All listeners without a tag share them.
  func frames(tag: Int64?) -> [ByteBuffer] {
    guard tag == nil else { return MessageFrames.frames(of: ServerMessage.update(self, tag: tag)) }
    return sharedFrames.withLock { frames in
      if let frames { return frames }
      let new = MessageFrames.frames(of: ServerMessage.update(self, tag: nil))
      frames = new
      return new
    }
  }
}
