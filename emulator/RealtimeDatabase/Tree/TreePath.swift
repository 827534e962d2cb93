package import Core

/// The place of a node in a database: the keys from the root down to it.
package struct TreePath: Hashable, Sendable {
  /// The maximum number of keys.
  static let mostKeys = 32

  package private(set) var keys: [NodeKey]

  package static let root = TreePath([])

  init(_ keys: [NodeKey]) { self.keys = keys }

  /// Creates a path from a text such as `/rooms/a`. Empty parts are ignored.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid key, and for more than 32 keys.
  package init(_ text: String) throws(StatusError) {
    try self.init(
      parts: text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    )
  }

  init(parts: some Collection<String>) throws(StatusError) {
    guard parts.count <= Self.mostKeys else {
      throw StatusError(.invalidArgument, "the path has more than \(Self.mostKeys) keys")
    }
    keys = []
    for part in parts { keys.append(try NodeKey(part)) }
  }

  func appending(_ key: NodeKey) -> TreePath { TreePath(keys + [key]) }

  func appending(_ path: TreePath) throws(StatusError) -> TreePath {
    guard keys.count + path.keys.count <= Self.mostKeys else {
      throw StatusError(.invalidArgument, "the path has more than \(Self.mostKeys) keys")
    }
    return TreePath(keys + path.keys)
  }

  /// Returns the part of the path after another one, which it starts with.
  func relative(to other: TreePath) -> TreePath {
    TreePath(Array(keys.dropFirst(other.keys.count)))
  }

  /// Returns whether the path is at or below another one.
  func starts(with other: TreePath) -> Bool { keys.starts(with: other.keys) }
}

extension TreePath: CustomStringConvertible {
  /// The keys with slashes between them; empty for the root.
  package var description: String { keys.map(\.string).joined(separator: "/") }
}
