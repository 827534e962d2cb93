package import Core
package import Rules

extension Node: RulesTreeNode {
  package var rulesValue: JSONValue? { leaf?.json }

  package var rulesPriority: JSONValue { priority?.json ?? .null }

  package func rulesChild(_ key: String) -> (any RulesTreeNode)? {
    guard !key.isEmpty else { return nil }
    return self[NodeKey(unchecked: key)]
  }

  package func forEachRulesChild(_ body: (String, any RulesTreeNode) -> Bool) {
    for (key, child) in children where !body(key.string, child) { return }
  }
}

extension TreeQuery {
  /// The properties of `query` in rules. A read without a query counts as ordered by key.
  ///
  /// Source: the tests of targaryen, a simulator of these rules.
  var facts: JSONObject {
    let isPlain = isComplete && order == .priority
    var facts: JSONObject = [
      "orderByKey": .boolean(order == .key || isPlain), "orderByValue": .boolean(order == .value),
      "orderByPriority": .boolean(order == .priority && !isPlain),
    ]
    if case .child(let path) = order { facts["orderByChild"] = .string(path.description) }
    func value(_ bound: Bound) -> JSONValue? {
      if order == .key, case .key(let key) = bound.key { return .string(key.string) }
      return bound.value?.json
    }
    facts["startAt"] = start.flatMap(value)
    facts["endAt"] = end.flatMap(value)
    if let start, let end, start.isInclusive, end.isInclusive, value(start) == value(end) {
      facts["equalTo"] = value(start)
    }
    if let limit {
      facts[limit.isFromLast ? "limitToLast" : "limitToFirst"] = .integer(Int64(limit.count))
    }
    return facts
  }
}

extension DatabaseRules {
  /// Returns the error for a query whose index the rules lack, or `nil` if they have it.
  func missingIndex(of query: TreeQuery, at path: TreePath) -> StatusError? {
    let index: String
    switch query.order {
    case .key, .priority: return nil
    case .value: index = ".value"
    case .child(let path): index = path.description
    }
    guard !indexes(of: path.keys.map(\.string)).contains(where: { $0.hasSameBytes(as: index) })
    else { return nil }
    return StatusError(
      .invalidArgument,
      "Index not defined, add \".indexOn\": \"\(index)\", for path \"/\(path)\", to the rules"
    )
  }
}
