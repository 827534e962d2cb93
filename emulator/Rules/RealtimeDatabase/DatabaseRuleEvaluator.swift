package import Core

/// A node that rules can read.
package protocol RulesTreeNode: Sendable {
  /// The value, or `nil` if the node has children.
  var rulesValue: JSONValue? { get }
  var rulesPriority: JSONValue { get }
  func rulesChild(_ key: String) -> (any RulesTreeNode)?
  func forEachRulesChild(_ body: (String, any RulesTreeNode) -> Bool)
}

/// A place in a database: the nodes from the root down to it, of which the last may be missing.
struct RulesSnapshot {
  private(set) var nodes: [(any RulesTreeNode)?]

  init(root: (any RulesTreeNode)?) { nodes = [root] }

  var node: (any RulesTreeNode)? { nodes.last ?? nil }

  func child(_ key: some StringProtocol) -> RulesSnapshot {
    var snapshot = self
    snapshot.nodes.append(node?.rulesChild(String(key)))
    return snapshot
  }

  func descendant(_ path: String) -> RulesSnapshot {
    path.utf8.split(separator: UInt8(ascii: "/"))
      .reduce(self) { $0.child(Substring($1)) }
  }

  var parent: RulesSnapshot? {
    guard nodes.count > 1 else { return nil }
    var snapshot = self
    snapshot.nodes.removeLast()
    return snapshot
  }
}

/// The result of an expression.
enum DatabaseRuleValue {
  /// Null, a Boolean value, a number, a text, or a part of `auth`.
  case json(JSONValue)
  /// The value of a node with children.
  case object
  case snapshot(RulesSnapshot)
}

/// The reason why a rule can't be evaluated. The rule then counts as false.
struct DatabaseRuleFailure: Error {}

/// The evaluation of rules at one place, for one request.
struct DatabaseRuleEvaluator {
  let root: RulesSnapshot
  let data: RulesSnapshot
  let newData: RulesSnapshot?
  let auth: JSONValue
  let now: Int64
  let query: JSONObject
  let captures: [String: String]

  typealias Value = DatabaseRuleValue
  typealias Failure = DatabaseRuleFailure

  func allows(_ expression: DatabaseRuleExpression) -> Bool {
    (try? boolean(expression)) ?? false
  }

  private func boolean(_ expression: DatabaseRuleExpression) throws(Failure) -> Bool {
    guard case .json(.boolean(let value)) = try evaluate(expression) else { throw Failure() }
    return value
  }

  private func text(_ expression: DatabaseRuleExpression) throws(Failure) -> String {
    guard case .json(.string(let value)) = try evaluate(expression) else { throw Failure() }
    return value
  }

  private func evaluate(_ expression: DatabaseRuleExpression) throws(Failure) -> Value {
    switch expression {
    case .literal(let value): return .json(value)
    case .pattern, .list: throw Failure()
    case .variable(let variable): return try value(of: variable)
    case .capture(let name):
      guard let key = captures[name] else { throw Failure() }
      return .json(.string(key))
    case .member(.variable(.query), let name): return .json(query[try text(name)] ?? .null)
    case .member(let object, let name): return try member(of: evaluate(object), name)
    case .call(let object, let method, let arguments):
      return try call(evaluate(object), method, arguments)
    case .not(let operand): return .json(.boolean(!(try boolean(operand))))
    case .negative(let operand):
      guard let number = try evaluate(operand).number else { throw Failure() }
      return .json(.number(-number))
    case .binary(.and, let left, let right):
      let isDecided = try boolean(left) == false
      return .json(.boolean(isDecided ? false : try boolean(right)))
    case .binary(.or, let left, let right):
      let isDecided = try boolean(left) == true
      return .json(.boolean(isDecided ? true : try boolean(right)))
    case .binary(let operation, let left, let right):
      return .json(try Self.result(of: operation, evaluate(left), evaluate(right)))
    case .conditional(let condition, let first, let second):
      return try boolean(condition) ? evaluate(first) : evaluate(second)
    }
  }

  private func value(of variable: DatabaseRuleExpression.Variable) throws(Failure) -> Value {
    switch variable {
    case .auth: return .json(auth)
    case .now: return .json(.integer(now))
    case .root: return .snapshot(root)
    case .data: return .snapshot(data)
    case .newData:
      guard let newData else { throw Failure() }
      return .snapshot(newData)
    case .query: throw Failure()
    }
  }

  /// Returns a member of an object. A value without members has none, which is null.
  private func member(
    of object: Value,
    _ name: DatabaseRuleExpression
  ) throws(Failure) -> Value {
    guard case .json(let json) = object else { throw Failure() }
    let key = try evaluate(name)
    switch (json, key) {
    case (.object(let members), .json(.string(let name))): return .json(members[name] ?? .null)
    case (.string(let text), .json(let name)) where name == .string("length"):
      return .json(.integer(Int64(text.utf16.count)))
    case (.array(let elements), .json(let name)) where name == .string("length"):
      return .json(.integer(Int64(elements.count)))
    case (.array(let elements), _):
      guard let number = key.number, let index = Int(exactly: number) else { return .json(.null) }
      return .json(elements.indices.contains(index) ? elements[index] : .null)
    default: return .json(.null)
    }
  }

  // MARK: Methods

  private func call(
    _ object: Value,
    _ method: DatabaseRuleExpression.Method,
    _ arguments: [DatabaseRuleExpression]
  ) throws(Failure) -> Value {
    switch object {
    case .snapshot(let snapshot): return try call(snapshot, method, arguments)
    case .json(.string(let text)): return .json(try call(text, method, arguments))
    case .json, .object: throw Failure()
    }
  }

  private func call(
    _ snapshot: RulesSnapshot,
    _ method: DatabaseRuleExpression.Method,
    _ arguments: [DatabaseRuleExpression]
  ) throws(Failure) -> Value {
    let node = snapshot.node
    switch method {
    case .val:
      guard let node else { return .json(.null) }
      return node.rulesValue.map { .json($0) } ?? .object
    case .child: return .snapshot(snapshot.descendant(try text(arguments[0])))
    case .parent:
      guard let parent = snapshot.parent else { throw Failure() }
      return .snapshot(parent)
    case .exists: return .json(.boolean(node != nil))
    case .hasChild:
      return .json(.boolean(snapshot.descendant(try text(arguments[0])).node != nil))
    case .hasChildren:
      guard case .list(let keys)? = arguments.first else {
        return .json(.boolean(node != nil && node?.rulesValue == nil))
      }
      var hasAll = true
      // All elements are evaluated, so that an error isn't hidden by a missing child.
      for key in keys { hasAll = try snapshot.descendant(text(key)).node != nil && hasAll }
      return .json(.boolean(hasAll))
    case .getPriority: return .json(node?.rulesPriority ?? .null)
    case .isNumber: return .json(.boolean(node?.rulesValue?.isNumber ?? false))
    case .isString: return .json(.boolean(node?.rulesValue?.string != nil))
    case .isBoolean:
      if case .boolean? = node?.rulesValue { return .json(.boolean(true)) }
      return .json(.boolean(false))
    default: throw Failure()
    }
  }

  private func call(
    _ string: String,
    _ method: DatabaseRuleExpression.Method,
    _ arguments: [DatabaseRuleExpression]
  ) throws(Failure) -> JSONValue {
    switch method {
    case .contains: return .boolean(string.hasBytes(of: try text(arguments[0])))
    case .beginsWith: return .boolean(string.utf8.starts(with: try text(arguments[0]).utf8))
    case .endsWith:
      return .boolean(string.utf8.reversed().starts(with: try text(arguments[0]).utf8.reversed()))
    case .replace:
      return .string(try string.replacingBytes(of: text(arguments[0]), with: text(arguments[1])))
    case .toLowerCase: return .string(string.lowercased())
    case .toUpperCase: return .string(string.uppercased())
    case .matches:
      guard case .pattern(let pattern) = arguments[0] else { throw Failure() }
      return .boolean(pattern.isFound(in: string))
    default: throw Failure()
    }
  }

  // MARK: Operators

  private static func result(
    of operation: DatabaseRuleExpression.Operator,
    _ left: Value,
    _ right: Value
  ) throws(Failure) -> JSONValue {
    switch operation {
    case .equal: return .boolean(try left.isEqual(to: right))
    case .notEqual: return .boolean(!(try left.isEqual(to: right)))
    case .add:
      if let left = left.number, let right = right.number { return .number(left + right) }
      return .string(try left.textOfOperand + right.textOfOperand)
    case .less: return .boolean(try compare(left, right, { $0 < $1 }, { $0 < $1 }))
    case .lessOrEqual: return .boolean(try compare(left, right, { $0 <= $1 }, { $0 <= $1 }))
    case .greater: return .boolean(try compare(left, right, { $0 > $1 }, { $0 > $1 }))
    case .greaterOrEqual: return .boolean(try compare(left, right, { $0 >= $1 }, { $0 >= $1 }))
    case .subtract, .multiply, .divide, .remainder:
      guard let left = left.number, let right = right.number else { throw Failure() }
      switch operation {
      case .subtract: return .number(left - right)
      case .multiply: return .number(left * right)
      case .divide: return .number(right == 0 ? .nan : left / right)
      default: return .number(left.truncatingRemainder(dividingBy: right))
      }
    case .and, .or: throw Failure()
    }
  }

  private static func compare(
    _ left: Value,
    _ right: Value,
    _ numbers: (Double, Double) -> Bool,
    _ texts: (ByteKey, ByteKey) -> Bool
  ) throws(Failure) -> Bool {
    if let left = left.number, let right = right.number { return numbers(left, right) }
    guard case .json(.string(let left)) = left, case .json(.string(let right)) = right else {
      throw Failure()
    }
    return texts(ByteKey(left), ByteKey(right))
  }
}

extension DatabaseRuleValue {
  fileprivate var number: Double? {
    switch self {
    case .json(.integer(let number)): Double(number)
    case .json(.number(let number)): number
    default: nil
    }
  }

  /// The text of a number or a text. Other values can't be added.
  fileprivate var textOfOperand: String {
    get throws(DatabaseRuleFailure) {
      if case .json(.string(let text)) = self { return text }
      guard let number else { throw DatabaseRuleFailure() }
      if number.isNaN { return "NaN" }
      if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 { return String(whole) }
      return "\(number)"
    }
  }

  fileprivate func isEqual(to other: DatabaseRuleValue) throws(DatabaseRuleFailure) -> Bool {
    if let number, let other = other.number { return number == other }
    switch (self, other) {
    case (.json(let left), .json(let right)): return left == right
    case (.object, .json), (.json, .object): return false
    // Two objects of the database are never the same one.
    case (.object, .object): return false
    case (.snapshot, _), (_, .snapshot): throw DatabaseRuleFailure()
    }
  }
}

extension JSONValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .number: true
    default: false
    }
  }
}

extension String {
  /// Returns the text with each occurrence of another one replaced.
  fileprivate func replacingBytes(of other: String, with replacement: String) -> String {
    let (text, part) = (Array(utf8), Array(other.utf8))
    guard !part.isEmpty else { return self }
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == part[0], text[index...].starts(with: part) {
        result += replacement.utf8
        index += part.count
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
