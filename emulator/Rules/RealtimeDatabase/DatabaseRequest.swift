package import Core

/// A request to a Realtime Database, on which rules decide.
package struct DatabaseRequest: Sendable {
  private let root: (any RulesTreeNode)?
  private let newRoot: (any RulesTreeNode)?
  private let isWrite: Bool
  private let auth: JSONValue
  private let now: Int64
  private let query: JSONObject

  /// Creates a request to read.
  ///
  /// - Parameters:
  ///   - auth: The value of `auth`: an object, or null.
  ///   - now: The time in milliseconds since 1970.
  ///   - query: The properties of `query`.
  package init(root: (any RulesTreeNode)?, auth: JSONValue, now: Int64, query: JSONObject) {
    self.root = root
    newRoot = nil
    isWrite = false
    self.auth = auth
    self.now = now
    self.query = query
  }

  /// Creates a request to write.
  package init(
    root: (any RulesTreeNode)?,
    newRoot: (any RulesTreeNode)?,
    auth: JSONValue,
    now: Int64
  ) {
    self.root = root
    self.newRoot = newRoot
    isWrite = true
    self.auth = auth
    self.now = now
    query = [:]
  }

  var evaluator: DatabaseRuleEvaluator {
    DatabaseRuleEvaluator(
      root: RulesSnapshot(root: root),
      data: RulesSnapshot(root: root),
      newData: isWrite ? RulesSnapshot(root: newRoot) : nil,
      auth: auth,
      now: now,
      query: query,
      captures: [:]
    )
  }
}
