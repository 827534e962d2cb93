package import Core
package import Store

/// The durable record of databases. It is written before a change becomes visible.
package protocol DatabaseJournal: Sendable {
  /// Writes changes and the records of their events, all or none. When it returns, a crash can no
  /// longer lose them.
  ///
  /// - Throws: The error for the clients. The changes are then dropped.
  func record(
    _ changes: [DatabaseChange],
    with events: [JournalRecord]
  ) async throws(StatusError)
}

/// The databases as records in the journal of Firestore's store: a record for each value, and for
/// each object with a priority.
package struct DatabaseRecords: DatabaseJournal {
  private let store: Store
  private let prefix: String

  /// Creates a journal that writes into a store's journal, if that store has one.
  ///
  /// - Parameter project: The project of the databases.
  package init(in store: Store, of project: String) {
    self.store = store
    prefix = Self.prefix(of: project)
  }

  private static func prefix(of project: String) -> String { "database/\(project)/" }

  package func record(
    _ changes: [DatabaseChange],
    with events: [JournalRecord]
  ) async throws(StatusError) {
    // A record that several changes of a group write has its last content.
    var contents: [ByteKey: Data?] = [:]
    for change in changes {
      try change.old.forEachChange(to: change.new, at: []) { keys, node throws(StatusError) in
        let path = keys.map { "/" + $0.string }.joined()
        contents[ByteKey(prefix + change.database.string + path)] = try Self.content(of: node)
      }
    }
    try await store.keep(
      contents.map { JournalRecord(key: $0.key.string, content: $0.value) } + events
    )
  }

  /// Returns the content of a node's record, or `nil` if it has none.
  private static func content(of node: Node?) throws(StatusError) -> Data? {
    guard let node, node.leaf != nil || node.priority != nil else { return nil }
    let members: JSONObject = [
      "value": node.leaf?.json ?? .null, "priority": node.priority?.json ?? .null,
    ]
    guard let data = try? JSON.encode(JSONValue.object(members)) else {
      throw StatusError(.internal, "a value can't be encoded")
    }
    return data
  }

  /// Returns the databases in a journal's records. Records of other components and projects are
  /// ignored.
  ///
  /// - Throws: `DATA_LOSS` if a record can't be decoded.
  package static func contents(
    of records: [String: Data],
    project: String
  ) throws(StatusError) -> [ByteKey: Node] {
    let prefix = Self.prefix(of: project)
    var found: [ByteKey: TreeBuilder] = [:]
    for (key, content) in records where key.utf8.starts(with: prefix.utf8) {
      let parts = key.utf8.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "/"))
        .map { String(Substring($0)) }
      do {
        guard let database = parts.first else { throw StatusError(.dataLoss, "no database") }
        let json = try JSONValue(parsing: content)
        var keys: [NodeKey] = []
        for part in parts.dropFirst() { keys.append(try NodeKey(part)) }
        let builder = found[ByteKey(database)] ?? TreeBuilder()
        found[ByteKey(database)] = builder
        builder.add(
          leaf: json["value"].flatMap { Leaf($0) },
          priority: json["priority"].flatMap { Leaf($0) },
          at: keys[...]
        )
      } catch {
        throw StatusError(.dataLoss, "the record \(quoted(key)) of a database can't be decoded")
      }
    }
    return found.compactMapValues(\.node)
  }
}

/// A tree that is built from records in any order.
private final class TreeBuilder {
  private var children: [NodeKey: TreeBuilder] = [:]
  private var leaf: Leaf?
  private var priority: Leaf?

  func add(leaf: Leaf?, priority: Leaf?, at keys: ArraySlice<NodeKey>) {
    guard let key = keys.first else {
      self.leaf = leaf
      self.priority = priority
      return
    }
    let child = children[key] ?? TreeBuilder()
    children[key] = child
    child.add(leaf: leaf, priority: priority, at: keys.dropFirst())
  }

  var node: Node? {
    if let leaf { return Node(leaf, priority: priority) }
    let entries = children.compactMap { key, builder in builder.node.map { (key: key, value: $0) } }
    return Node(
      children: SortedTree(sorted: entries.sorted { $0.key < $1.key }),
      priority: priority
    )
  }
}
