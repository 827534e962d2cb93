package import Core

/// The values of placeholders in written data, such as the server's time.
struct ServerValues {
  /// The time in milliseconds since 1970.
  var now: Int64

  /// Returns the value of a placeholder.
  ///
  /// - Parameters:
  ///   - placeholder: The value of the member `.sv`.
  ///   - existing: The node that the value replaces.
  func resolve(_ placeholder: JSONValue, existing: Node?) throws(StatusError) -> Leaf {
    if placeholder == .string("timestamp") { return .number(Double(now)) }
    if placeholder.object?.count == 1,
      case .number(let step)? = placeholder["increment"].flatMap({ Leaf($0) })
    {
      guard case .number(let number)? = existing?.leaf else { return .number(step) }
      let sum = number + step
      guard sum.isFinite else {
        throw StatusError(.invalidArgument, "the incremented number is too large")
      }
      return .number(sum)
    }
    throw StatusError(
      .invalidArgument,
      #"the server value is neither "timestamp" nor {"increment": NUMBER}"#
    )
  }
}

extension Node {
  /// Returns the node that JSON describes, or `nil` for null and empty objects.
  ///
  /// - Parameters:
  ///   - depth: The number of keys above the node.
  ///   - existing: The node that the new one replaces.
  /// - Throws: `INVALID_ARGUMENT` for invalid keys, texts that are too long, and too many levels.
  static func parse(
    _ json: JSONValue,
    depth: Int,
    replacing existing: Node?,
    _ values: ServerValues
  ) throws(StatusError) -> Node? {
    guard depth <= TreePath.mostKeys else {
      throw StatusError(.invalidArgument, "the data has more than \(TreePath.mostKeys) levels")
    }
    switch json {
    case .null: return nil
    case .array(let elements):
      var children: [(key: NodeKey, value: Node)] = []
      for (index, element) in elements.enumerated() {
        let key = NodeKey(unchecked: String(index))
        if let child = try parse(element, depth: depth + 1, replacing: existing?[key], values) {
          children.append((key, child))
        }
      }
      return Node(children: SortedTree(sorted: children))
    case .object(let members):
      return try parse(members, depth: depth, replacing: existing, values)
    case .boolean, .integer, .number, .string: return Node(try checked(json))
    }
  }

  private static func checked(_ json: JSONValue) throws(StatusError) -> Leaf {
    guard let leaf = Leaf(json) else {
      throw StatusError(.invalidArgument, "a value is neither a text, a number nor a Boolean value")
    }
    if case .string(let text) = leaf, text.utf8.count > Leaf.mostBytes {
      throw StatusError(
        .invalidArgument,
        "a text has \(text.utf8.count) bytes; the limit is \(Leaf.mostBytes >> 20) MiB"
      )
    }
    return leaf
  }

  private static func parse(
    _ members: JSONObject,
    depth: Int,
    replacing existing: Node?,
    _ values: ServerValues
  ) throws(StatusError) -> Node? {
    let priority = try members[".priority"].flatMap { value throws(StatusError) in
      try Self.priority(value, replacing: existing, values)
    }
    if let placeholder = members[".sv"] {
      try onlyPriority(beside: ".sv", in: members)
      return Node(try values.resolve(placeholder, existing: existing), priority: priority)
    }
    if let value = members[".value"] {
      try onlyPriority(beside: ".value", in: members)
      return try parse(value, depth: depth, replacing: existing, values)?.withPriority(priority)
    }
    var children: [(key: NodeKey, value: Node)] = []
    for (name, value) in members where name != ".priority" {
      let key = try NodeKey(name.string)
      if let child = try parse(value, depth: depth + 1, replacing: existing?[key], values) {
        children.append((key, child))
      }
    }
    children.sort { $0.key < $1.key }
    return Node(children: SortedTree(sorted: children), priority: priority)
  }

  private static func onlyPriority(
    beside name: ByteKey,
    in members: JSONObject
  ) throws(StatusError) {
    guard members.keys.allSatisfy({ $0 == name || $0 == ".priority" }) else {
      throw StatusError(.invalidArgument, "an object with \(name) has other members")
    }
  }

  /// Returns the priority that JSON describes, or `nil` for null.
  static func priority(
    _ json: JSONValue,
    replacing existing: Node?,
    _ values: ServerValues
  ) throws(StatusError) -> Leaf? {
    if case .null = json { return nil }
    if let placeholder = json.object?[".sv"] {
      let old = existing?.priority.map { Node($0) }
      return try values.resolve(placeholder, existing: old)
    }
    switch try checked(json) {
    case .boolean: throw StatusError(.invalidArgument, "a priority is neither a number nor a text")
    case let leaf: return leaf
    }
  }
}

extension Node {
  /// The form of data in JSON.
  package enum Format: Sendable {
    /// As apps get it: without priorities, and objects whose keys count from 0 as lists.
    case value
    /// With priorities, as in exports and on listeners' connections.
    case export
  }

  package func json(_ format: Format) -> JSONValue {
    switch (content, format) {
    case (.leaf(let leaf), .value): return leaf.json
    case (.leaf(let leaf), .export):
      guard let priority else { return leaf.json }
      return .object([".value": leaf.json, ".priority": priority.json])
    case (.children(let children), .value):
      if let list = list(children) { return list }
      return .object(JSONObject(children.map { ($0.key.string, $0.value.json(.value)) }))
    case (.children(let children), .export):
      var members = JSONObject(children.map { ($0.key.string, $0.value.json(.export)) })
      members[".priority"] = priority?.json
      return .object(members)
    }
  }

  /// Returns children as a list if their keys are whole numbers and more than half of the list's
  /// places have one.
  private func list(_ children: SortedTree<NodeKey, Node>) -> JSONValue? {
    guard let last = children[rank: children.count - 1].key.listIndex,
      last < 2 * children.count, children.allSatisfy({ $0.key.listIndex != nil })
    else { return nil }
    var elements = [JSONValue](repeating: .null, count: last + 1)
    for (key, child) in children {
      if let index = key.listIndex { elements[index] = child.json(.value) }
    }
    return .array(elements)
  }
}

extension Node? {
  package func json(_ format: Node.Format) -> JSONValue { self?.json(format) ?? .null }
}
