import Core

/// The security rules of a Realtime Database: a tree of rules by path.
package final class DatabaseRules: Sendable {
  /// The rules of one path.
  struct Place: Sendable {
    var read: DatabaseRuleExpression?
    var write: DatabaseRuleExpression?
    var validate: DatabaseRuleExpression?
    var indexes: [String] = []
    /// The rules of children by their keys, and of all other children by `captureName`, which no
    /// key can equal.
    var children: [ByteKey: Place] = [:]
    /// The name that stands for a child's key, such as `$uid`.
    var captureName: String?
  }

  /// The most bytes of the rules' text.
  package static let mostBytes = 1 << 20

  private let root: Place
  /// The text that the rules were compiled from.
  package let source: String

  /// Compiles rules.
  ///
  /// - Throws: `CompilationError` with the places of the errors.
  package init(compiling source: String) throws(CompilationError) {
    try CompilationError.checkSize(of: source, atMost: Self.mostBytes)
    self.source = source
    let text = SourceText(source)
    var compiler = Compiler(text: text)
    root = compiler.compile()
    guard compiler.issues.isEmpty else { throw CompilationError(compiler.issues) }
  }

  // MARK: Deciding

  /// Returns whether the rules allow reading all of a node.
  ///
  /// The first rule on the way from the root that is true grants it; a rule below can't revoke it.
  package func allowsRead(of path: [String], _ request: DatabaseRequest) -> Bool {
    var isAllowed = false
    walk(path, request) { place, evaluator in
      if let read = place.read, evaluator.allows(read) { isAllowed = true }
      return !isAllowed
    }
    return isAllowed
  }

  /// Returns whether the rules allow writing a node: a `.write` on the way from the root must be
  /// true, and each `.validate` on the way and below, where new data exists.
  package func allowsWrite(to path: [String], _ request: DatabaseRequest) -> Bool {
    var isAllowed = false
    var isValid = true
    var last: (Place, DatabaseRuleEvaluator)?
    let reached = walk(path, request) { place, evaluator in
      if !isAllowed, let write = place.write { isAllowed = evaluator.allows(write) }
      if evaluator.newData?.node != nil, let validate = place.validate {
        isValid = evaluator.allows(validate)
      }
      last = (place, evaluator)
      return isValid
    }
    guard isAllowed, isValid else { return false }
    guard reached, let last else { return true }
    return Self.isValid(last.0, last.1)
  }

  /// Visits the places on the way from the root to a path.
  ///
  /// - Parameter visit: A closure that returns whether to go on.
  /// - Returns: A Boolean value that indicates whether the whole path has rules.
  @discardableResult
  private func walk(
    _ path: [String],
    _ request: DatabaseRequest,
    _ visit: (Place, DatabaseRuleEvaluator) -> Bool
  ) -> Bool {
    var place = root
    var evaluator = request.evaluator
    guard visit(place, evaluator) else { return false }
    for key in path {
      guard let next = place.child(key, evaluator) else { return false }
      (place, evaluator) = next
      guard visit(place, evaluator) else { return false }
    }
    return true
  }

  /// Returns whether all new data below a place is valid.
  private static func isValid(_ place: Place, _ evaluator: DatabaseRuleEvaluator) -> Bool {
    guard let node = evaluator.newData?.node, !place.children.isEmpty else { return true }
    func isValid(_ key: String) -> Bool {
      guard let (child, below) = place.child(key, evaluator), below.newData?.node != nil else {
        return true
      }
      if let validate = child.validate, !below.allows(validate) { return false }
      return Self.isValid(child, below)
    }
    guard place.captureName != nil else {
      return place.children.keys.allSatisfy { isValid($0.string) }
    }
    var isAllValid = true
    node.forEachRulesChild { key, _ in
      isAllValid = isValid(key)
      return isAllValid
    }
    return isAllValid
  }

  /// Returns the indexes of a node's children: paths below the children, or `.value`.
  package func indexes(of path: [String]) -> [String] {
    var place = root
    for key in path {
      guard let next = place.child(key) else { return [] }
      place = next.place
    }
    return place.indexes
  }
}

extension DatabaseRules.Place {
  /// Returns the rules of a child, and the name that stands for its key, if one does.
  fileprivate func child(_ key: String) -> (place: DatabaseRules.Place, capture: String?)? {
    if let child = children[key] { return (child, nil) }
    guard let captureName, let child = children[captureName] else { return nil }
    return (child, captureName)
  }

  fileprivate func child(
    _ key: String,
    _ evaluator: DatabaseRuleEvaluator
  ) -> (DatabaseRules.Place, DatabaseRuleEvaluator)? {
    child(key).map { ($0.place, evaluator.child(key, capture: $0.capture)) }
  }
}

extension DatabaseRuleEvaluator {
  fileprivate func child(_ key: String, capture: String?) -> DatabaseRuleEvaluator {
    var captures = captures
    if let capture { captures[capture] = key }
    return DatabaseRuleEvaluator(
      root: root,
      data: data.child(key),
      newData: newData?.child(key),
      auth: auth,
      now: now,
      query: query,
      captures: captures
    )
  }
}
