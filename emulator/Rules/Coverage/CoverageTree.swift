/// The expressions of a ruleset that coverage counts: all but literals, in a flat tree.
struct CoverageTree: Sendable {
  struct Node: Sendable {
    var range: SourceRange
    /// The index of the expression that this one is a part of.
    var parent: Int?
    /// The index of the expression whose results are this one's.
    ///
    /// It is another one for `let name = value; …`, whose result is that of its function.
    var source: Int
    /// A Boolean value that indicates whether the expression is only a step of the one around it:
    /// `a && b` in `a && b && c`, or `request.auth` in `request.auth.uid`.
    var isStep = false
    /// The index of another expression that begins at the same place.
    var next: Int?
  }

  /// The nodes; a node's parent comes before it.
  private(set) var nodes: [Node] = []
  /// The index of an expression by the offset of its start. It is looked up for each evaluation.
  private var starts: [Int?] = []

  /// The most levels of nested expressions. Deeper ones are too complex to be evaluated.
  private static let depthLimit = 128

  init(of ruleset: Ruleset) {
    ruleset.functions.forEach { add($0) }
    for service in ruleset.services {
      service.functions.forEach { add($0) }
      service.matches.forEach { addFunctions(of: $0) }
    }
    for service in ruleset.services { service.matches.forEach { addConditions(of: $0) } }
  }

  /// Returns the index of the expression with a range.
  subscript(range: SourceRange) -> Int? {
    guard starts.indices.contains(range.start) else { return nil }
    var index = starts[range.start]
    while let found = index, nodes[found].range.end != range.end { index = nodes[found].next }
    return index
  }

  private mutating func addFunctions(of block: MatchBlock) {
    block.functions.forEach { add($0) }
    block.matches.forEach { addFunctions(of: $0) }
  }

  private mutating func addConditions(of block: MatchBlock) {
    block.matches.forEach { addConditions(of: $0) }
    for allow in block.allows {
      if let condition = allow.condition { add(condition, to: nil) }
    }
  }

  private mutating func add(_ function: FunctionDeclaration) {
    var parent: Int?
    var lets: [Int] = []
    for binding in function.bindings {
      var range = binding.range
      range.end = function.result.range.end
      lets.append(nodes.count)
      nodes.append(Node(range: range, parent: parent, source: nodes.count))
      parent = lets.last
      add(binding.value, to: parent)
    }
    let result = nodes.count
    add(function.result, to: parent)
    // A literal as the result has no node.
    guard result < nodes.count else { return }
    for index in lets { nodes[index].source = result }
  }

  private mutating func add(_ root: Expression, to parent: Int?) {
    var waiting: [(expression: Expression, isStep: Bool, parent: Int?, depth: Int)] = [
      (root, false, parent, 0)
    ]
    while let (expression, isStep, parent, depth) = waiting.popLast() {
      if case .literal = expression.kind { continue }
      let index = nodes.count
      let start = expression.range.start
      while starts.count <= start { starts.append(nil) }
      nodes.append(
        Node(
          range: expression.range,
          parent: parent,
          source: index,
          isStep: isStep,
          next: starts[start]
        )
      )
      starts[start] = index
      guard depth < Self.depthLimit else { continue }
      waiting += expression.operands.reversed().map { operand in
        (operand, operand.isStep(of: expression), index, depth + 1)
      }
    }
  }
}

extension Expression {
  /// The expressions that this one consists of, in the order of their evaluation.
  fileprivate var operands: [Expression] {
    switch kind {
    case .literal, .variable: []
    case .list(let elements): elements
    case .map(let members): members.flatMap { [$0.key, $0.value] }
    case .path(let parts):
      parts.compactMap { part in
        if case .computed(let expression) = part { expression } else { nil }
      }
    case .member(let base, _): [base]
    case .element(let base, let index): [base, index]
    case .slice(let base, let from, let to): [base] + [from, to].compactMap(\.self)
    case .call(_, let arguments): arguments
    case .methodCall(let base, _, let arguments): (base.isNamespace ? [] : [base]) + arguments
    case .unary(_, let operand): [operand]
    case .binary(.in, let left, let right): [right, left]
    case .binary(_, let left, let right): [left, right]
    case .typeCheck(let operand, _): [operand]
    case .conditional(let condition, let first, let second): [condition, first, second]
    }
  }

  /// Returns whether the expression is only a step of the one that it is an operand of.
  fileprivate func isStep(of other: Expression) -> Bool {
    switch (kind, other.kind) {
    case (.binary(let op, _, _), .binary(let otherOp, let left, _)):
      (op == .and || op == .or) && op == otherOp && left.range == range
    case (.variable, .member), (.member, .member): true
    default: false
    }
  }

  /// A Boolean value that indicates whether the expression is the name of a namespace, such as
  /// `math` or `firestore`, which has no value.
  private var isNamespace: Bool {
    guard case .variable(let name) = kind else { return false }
    return Signatures.namespaces.contains(name) || name == Signatures.documentNamespace
  }
}
