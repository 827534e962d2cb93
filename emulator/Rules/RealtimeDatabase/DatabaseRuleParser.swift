import Core

/// A parser of expressions, which also checks types.
///
/// An operand whose type is open is checked when the rule runs. Conditions must be of type Boolean.
struct DatabaseRuleParser {
  /// An expression with its type and the index of its first character.
  fileprivate struct Typed {
    var expression: DatabaseRuleExpression
    var type: DatabaseRuleType
    var start: Int
    /// The number of expressions within each other.
    var height = 1

    /// Returns a part of a larger expression.
    ///
    /// - Throws: An error if too many expressions are within each other, because they are
    ///   evaluated by recursion.
    func inside(_ others: Typed..., at start: Int) throws(Failure) -> Int {
      let height = others.reduce(height) { max($0, $1.height) } + 1
      guard height <= DatabaseRuleParser.mostHeight else {
        throw Failure(index: start, description: "The expression has too many operators.")
      }
      return height
    }
  }

  typealias Failure = DatabaseRuleError
  private typealias Symbol = String

  /// The maximum depth of an expression.
  private static let mostLevels = 64
  /// The maximum number of expressions within each other, such as the operators in a row.
  fileprivate static let mostHeight = 256
  /// The properties of `query`.
  private static let queryProperties: [String: DatabaseRuleType] = [
    "orderByKey": .boolean, "orderByPriority": .boolean, "orderByValue": .boolean,
    "orderByChild": .primitive, "startAt": .primitive, "endAt": .primitive, "equalTo": .primitive,
    "limitToFirst": .primitive, "limitToLast": .primitive,
  ]

  private let tokens: [DatabaseRuleToken]
  private let variables: Set<String>
  private let captures: Set<String>
  private var position = 0
  private var depth = 0

  /// Parses the expression of a rule.
  ///
  /// - Parameters:
  ///   - variables: The names of the variables that the rule has.
  ///   - captures: The names that stand for keys of the rule's path.
  static func parse(
    _ text: [Unicode.Scalar],
    variables: Set<String>,
    captures: Set<String>
  ) throws(Failure) -> DatabaseRuleExpression {
    var parser = DatabaseRuleParser(
      tokens: try DatabaseRuleToken.tokens(of: text),
      variables: variables,
      captures: captures
    )
    let rule = try parser.conditional()
    guard parser.token.kind == .end else {
      throw parser.failure("The expression ends here, but more follows.")
    }
    guard rule.type == .boolean else {
      throw Failure(index: rule.start, description: "A rule must be true or false.")
    }
    return rule.expression
  }

  private init(tokens: [DatabaseRuleToken], variables: Set<String>, captures: Set<String>) {
    self.tokens = tokens
    self.variables = variables
    self.captures = captures
  }

  private var token: DatabaseRuleToken { tokens[position] }

  private func failure(_ description: String) -> Failure {
    Failure(index: token.start, description: description)
  }

  private mutating func take(_ symbol: Symbol) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ symbol: Symbol) throws(Failure) {
    guard take(symbol) else { throw failure("'\(symbol)' is missing.") }
  }

  // MARK: Operators

  private mutating func conditional() throws(Failure) -> Typed {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.mostLevels else { throw failure("The expression has too many levels.") }
    let condition = try binary(level: 0)
    guard take("?") else { return condition }
    try require(condition, .boolean, "The condition before '?' must be true or false.")
    let first = try conditional()
    try expect(":")
    let second = try conditional()
    let type: DatabaseRuleType =
      first.type == second.type
      ? first.type : first.type.isPrimitive && second.type.isPrimitive ? .primitive : .any
    return Typed(
      expression: .conditional(condition.expression, first.expression, second.expression),
      type: type,
      start: condition.start,
      height: try condition.inside(first, second, at: condition.start)
    )
  }

  /// The operators by precedence, those that bind least first.
  private static let levels: [[Symbol]] = [
    ["||"], ["&&"], ["==", "!=", "===", "!=="], ["<", ">", "<=", ">="], ["+", "-"],
    ["*", "/", "%"],
  ]

  private mutating func binary(level: Int) throws(Failure) -> Typed {
    guard level < Self.levels.count else { return try unary() }
    var left = try binary(level: level + 1)
    while case .symbol(let symbol) = token.kind, Self.levels[level].contains(symbol) {
      let place = token.start
      position += 1
      let right = try binary(level: level + 1)
      let name = symbol == "===" ? "==" : symbol == "!==" ? "!=" : symbol
      guard let operation = DatabaseRuleExpression.Operator(rawValue: name) else {
        throw Failure(index: place, description: "The operator '\(symbol)' is unknown.")
      }
      left = Typed(
        expression: .binary(operation, left.expression, right.expression),
        type: try Self.type(of: operation, left, right),
        start: left.start,
        height: try left.inside(right, at: place)
      )
    }
    return left
  }

  private static func type(
    of operation: DatabaseRuleExpression.Operator,
    _ left: Typed,
    _ right: Typed
  ) throws(Failure) -> DatabaseRuleType {
    func check(_ allowed: (DatabaseRuleType) -> Bool, _ words: String) throws(Failure) {
      for side in [left, right] where !side.type.isOpen && !allowed(side.type) {
        throw Failure(
          index: side.start,
          description: "The operands of '\(operation.rawValue)' must be \(words)."
        )
      }
    }
    switch operation {
    case .and, .or:
      for side in [left, right] where side.type != .boolean {
        throw Failure(
          index: side.start,
          description: "The operands of '\(operation.rawValue)' must be true or false."
        )
      }
      return .boolean
    case .add:
      try check({ $0 == .number || $0 == .string }, "numbers or texts")
      if left.type == .string || right.type == .string { return .string }
      return left.type == .number && right.type == .number ? .number : .primitive
    case .subtract, .multiply, .divide, .remainder:
      try check({ $0 == .number }, "numbers")
      return .number
    case .equal, .notEqual:
      try check({ $0.isPrimitive }, "values, not places in the database")
      return .boolean
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try check({ $0 == .number || $0 == .string }, "two numbers or two texts")
      if !left.type.isOpen, !right.type.isOpen, left.type != right.type {
        throw Failure(
          index: right.start,
          description: "The operands of '\(operation.rawValue)' must be two numbers or two texts."
        )
      }
      return .boolean
    }
  }

  private mutating func unary() throws(Failure) -> Typed {
    let start = token.start
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.mostLevels else { throw failure("The expression has too many levels.") }
    if take("!") {
      let operand = try unary()
      try require(operand, .boolean, "The operand of '!' must be true or false.")
      return Typed(
        expression: .not(operand.expression),
        type: .boolean,
        start: start,
        height: try operand.inside(at: start)
      )
    }
    if take("-") {
      let operand = try unary()
      guard operand.type == .number || operand.type.isOpen else {
        throw Failure(index: operand.start, description: "The operand of '-' must be a number.")
      }
      return Typed(
        expression: .negative(operand.expression),
        type: .number,
        start: start,
        height: try operand.inside(at: start)
      )
    }
    return try postfix()
  }

  private func require(
    _ operand: Typed,
    _ type: DatabaseRuleType,
    _ description: String
  ) throws(Failure) {
    guard operand.type == type else {
      throw Failure(index: operand.start, description: description)
    }
  }

  // MARK: Members and calls

  private mutating func postfix() throws(Failure) -> Typed {
    var object = try primary()
    while true {
      if take(".") {
        guard case .name(let name) = token.kind else { throw failure("A name is missing.") }
        position += 1
        object = try member(of: object, name)
      } else if take("[") {
        let key = try conditional()
        try expect("]")
        object = try element(of: object, key)
      } else {
        return object
      }
    }
  }

  private mutating func element(of object: Typed, _ key: Typed) throws(Failure) -> Typed {
    if case .literal(.string(let name)) = key.expression { return try member(of: object, name) }
    guard object.type == .any else {
      throw Failure(
        index: key.start,
        description: "A name in brackets must be a text in quotes here."
      )
    }
    guard key.type == .string || key.type == .number || key.type.isOpen else {
      throw Failure(index: key.start, description: "The name of a member must be a text.")
    }
    return Typed(
      expression: .member(object.expression, key.expression),
      type: .any,
      start: object.start,
      height: try object.inside(key, at: key.start)
    )
  }

  private mutating func member(of object: Typed, _ name: String) throws(Failure) -> Typed {
    let unknown = failure("There is no method or property '\(name)'.")
    if take("(") {
      guard let method = DatabaseRuleExpression.Method(rawValue: name),
        method.object == object.type || method.object == .string && object.type.isOpen
      else { throw unknown }
      let (arguments, height) = try arguments(of: method, name)
      return Typed(
        expression: .call(object.expression, method, arguments),
        type: method.result,
        start: object.start,
        height: max(try object.inside(at: object.start), height + 1)
      )
    }
    let type: DatabaseRuleType
    switch object.type {
    case .any: type = .any
    case .string where name == "length", .primitive where name == "length": type = .number
    case .query:
      guard let property = Self.queryProperties[name] else { throw unknown }
      type = property
    default: throw unknown
    }
    return Typed(
      expression: .member(object.expression, .literal(.string(name))),
      type: type,
      start: object.start,
      height: try object.inside(at: object.start)
    )
  }

  private mutating func arguments(
    of method: DatabaseRuleExpression.Method,
    _ name: String
  ) throws(Failure) -> (expressions: [DatabaseRuleExpression], height: Int) {
    var arguments: [Typed] = []
    if !take(")") {
      repeat {
        arguments.append(token.kind == .symbol("[") ? try list() : try conditional())
      } while take(",")
      try expect(")")
    }
    let types = method.arguments
    let isShort = method == .hasChildren && arguments.isEmpty
    guard arguments.count == types.count || isShort else {
      throw failure("'\(name)' takes \(types.count) argument\(types.count == 1 ? "" : "s").")
    }
    for (argument, type) in zip(arguments, types)
    where argument.type != type && !(argument.type.isOpen && type == .string) {
      throw Failure(
        index: argument.start,
        description: "The argument of '\(name)' must be a \(type.words)."
      )
    }
    return (arguments.map(\.expression), arguments.map(\.height).max() ?? 0)
  }

  /// Reads the list of texts that `hasChildren` takes.
  private mutating func list() throws(Failure) -> Typed {
    let start = token.start
    try expect("[")
    var elements: [DatabaseRuleExpression] = []
    var height = 0
    repeat {
      let element = try conditional()
      guard element.type == .string || element.type.isOpen else {
        throw Failure(index: element.start, description: "An element of the list isn't a text.")
      }
      elements.append(element.expression)
      height = max(height, element.height)
    } while take(",")
    try expect("]")
    return Typed(expression: .list(elements), type: .list, start: start, height: height + 1)
  }

  // MARK: Operands

  private mutating func primary() throws(Failure) -> Typed {
    let start = token.start
    func typed(_ expression: DatabaseRuleExpression, _ type: DatabaseRuleType) -> Typed {
      Typed(expression: expression, type: type, start: start)
    }
    switch token.kind {
    case .number(let number):
      position += 1
      return typed(.literal(.number(number)), .number)
    case .string(let text):
      position += 1
      return typed(.literal(.string(text)), .string)
    case .pattern(let text, let flags):
      let pattern = try Self.pattern(text, flags, at: start)
      position += 1
      return typed(.pattern(pattern), .pattern)
    case .symbol("("):
      position += 1
      let inner = try conditional()
      try expect(")")
      return inner
    case .name(let name):
      let operand = try self.name(name)
      position += 1
      return typed(operand.0, operand.1)
    case .symbol, .end: throw failure("A value is missing.")
    }
  }

  private func name(
    _ name: String
  ) throws(Failure) -> (DatabaseRuleExpression, DatabaseRuleType) {
    switch name {
    case "true": return (.literal(.boolean(true)), .boolean)
    case "false": return (.literal(.boolean(false)), .boolean)
    case "null": return (.literal(.null), .null)
    case _ where captures.contains(name): return (.capture(name), .string)
    default: break
    }
    guard variables.contains(name), let variable = DatabaseRuleExpression.Variable(rawValue: name)
    else { throw failure("There is no variable '\(name)' here.") }
    switch variable {
    case .auth: return (.variable(variable), .any)
    case .now: return (.variable(variable), .number)
    case .root, .data, .newData: return (.variable(variable), .snapshot)
    case .query: return (.variable(variable), .query)
    }
  }

  private static func pattern(
    _ text: String,
    _ flags: String,
    at start: Int
  ) throws(Failure) -> Pattern {
    guard flags.isEmpty || flags == "i" else {
      throw Failure(index: start, description: "The only flag of a regular expression is 'i'.")
    }
    guard text.hasOuterAnchorsOnly else {
      throw Failure(
        index: start,
        description: "In a regular expression, '^' can only be first, '$' only last, and no "
          + "alternative can be empty."
      )
    }
    do {
      return try Pattern(flags.isEmpty ? text : "(?i)" + text)
    } catch {
      throw Failure(index: start, description: "The regular expression is not valid.")
    }
  }
}

extension DatabaseRuleType {
  fileprivate var words: String {
    switch self {
    case .pattern: "regular expression between slashes"
    case .list: "list of texts"
    default: "text"
    }
  }
}

extension String {
  /// A Boolean value that indicates whether `^` and `$` are only at a regular expression's ends, and
  /// no alternative is empty, as production demands.
  fileprivate var hasOuterAnchorsOnly: Bool {
    let text = Array(unicodeScalars)
    var isInClass = false
    var isAtStart = true
    var index = 0
    while index < text.count {
      let isFirst = isAtStart
      isAtStart = false
      switch text[index] {
      case "\\": index += 1
      case "[": isInClass = true
      case "]": isInClass = false
      case _ where isInClass: break
      case "^": guard index == 0 else { return false }
      case "$": guard index == text.count - 1 else { return false }
      case "|":
        guard !isFirst, index + 1 < text.count else { return false }
        isAtStart = true
      case "(": isAtStart = true
      case ")": guard !isFirst else { return false }
      default: break
      }
      index += 1
    }
    return true
  }
}
