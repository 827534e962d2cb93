import Core

/// The type of an expression, as far as it is known when the rules are loaded.
enum DatabaseRuleType: Sendable {
  case boolean
  case number
  case string
  case null
  /// One of the four types above.
  case primitive
  /// A part of `auth`.
  case any
  case pattern
  case list
  case snapshot
  case query

  /// A Boolean value that indicates whether the type is known only when the rule runs.
  var isOpen: Bool { self == .any || self == .primitive }
  var isPrimitive: Bool {
    switch self {
    case .boolean, .number, .string, .null, .primitive: true
    case .any, .pattern, .list, .snapshot, .query: false
    }
  }
}

/// An expression of a rule, whose types are checked.
indirect enum DatabaseRuleExpression: Sendable {
  enum Variable: String, Sendable {
    case auth, now, root, data, newData, query
  }

  enum Method: String, Sendable {
    case val, child, parent, hasChild, hasChildren, exists, getPriority
    case isNumber, isString, isBoolean
    case contains, beginsWith, endsWith, replace, toLowerCase, toUpperCase, matches
  }

  enum Operator: String, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%"
    case equal = "==", notEqual = "!="
    case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case and = "&&", or = "||"
  }

  case literal(JSONValue)
  case pattern(Pattern)
  case list([DatabaseRuleExpression])
  case variable(Variable)
  /// The key that stands in a path for a name such as `$uid`.
  case capture(String)
  /// The member of an object, the length of a text, or a property of `query`.
  case member(DatabaseRuleExpression, DatabaseRuleExpression)
  case call(DatabaseRuleExpression, Method, [DatabaseRuleExpression])
  case not(DatabaseRuleExpression)
  case negative(DatabaseRuleExpression)
  case binary(Operator, DatabaseRuleExpression, DatabaseRuleExpression)
  case conditional(DatabaseRuleExpression, DatabaseRuleExpression, DatabaseRuleExpression)
}

extension DatabaseRuleExpression.Method {
  /// The type of the method's object.
  var object: DatabaseRuleType {
    switch self {
    case .contains, .beginsWith, .endsWith, .replace, .toLowerCase, .toUpperCase, .matches: .string
    default: .snapshot
    }
  }

  /// The types of the arguments. The list of `hasChildren` may be left out.
  var arguments: [DatabaseRuleType] {
    switch self {
    case .child, .hasChild, .contains, .beginsWith, .endsWith: [.string]
    case .replace: [.string, .string]
    case .matches: [.pattern]
    case .hasChildren: [.list]
    default: []
    }
  }

  var result: DatabaseRuleType {
    switch self {
    case .child, .parent: .snapshot
    case .val: .primitive
    case .getPriority: .any
    case .replace, .toLowerCase, .toUpperCase: .string
    default: .boolean
    }
  }
}
