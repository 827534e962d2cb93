extension Parser {
  /// An expression together with the heights of its tree.
  struct Operand {
    var expression: Expression
    /// The number of expressions inside one another, as Google's compiler counts them: parentheses
    /// count, `.name` and `[index]` don't.
    var height: Int
    /// The number of levels of the tree.
    var levels: Int
    /// The opening parenthesis, if the expression stands in parentheses.
    var parenthesis: SourceRange?

    init(_ expression: Expression, height: Int = 1, over children: [Operand] = []) {
      self.expression = expression
      self.height = height
      levels = 1 + (children.lazy.map(\.levels).max() ?? 0)
    }
  }

  /// The most expressions inside one another, as in Google's compiler.
  private static let greatestHeight = 99

  /// The most levels of a tree, so that nothing that follows the tree runs out of stack.
  private static let mostLevels = 200

  /// A Boolean value that indicates whether an expression can begin with the current token.
  var beginsExpression: Bool { Self.canBeginExpression(token.kind) }

  private static func canBeginExpression(_ kind: Token.Kind) -> Bool {
    switch kind {
    case .identifier, .integer, .float, .string, .bytes, .openQuote, .pathSegment: true
    case .keyword(let keyword): keyword == .true || keyword == .false || keyword == .null
    case .symbol(let symbol):
      switch symbol {
      case .exclamation, .minus, .slash, .openParenthesis, .openBracket, .openBrace, .increment,
        .decrement:
        true
      default: false
      }
    case .serviceName, .end: false
    }
  }

  /// Parses an expression.
  mutating func expression() throws(Failure) -> Expression { try operand().expression }

  private mutating func operand() throws(Failure) -> Operand {
    let condition = try operation(above: 0)
    return at(.question) ? try conditional(condition) : condition
  }

  /// Parses an expression that stands one level below the one around it.
  private mutating func inner() throws(Failure) -> Operand {
    depth += 1
    defer { depth -= 1 }
    return try operand()
  }

  private func checkHeight(_ height: Int, of range: SourceRange) throws(Failure) {
    guard depth + height > Self.greatestHeight else { return }
    throw failure("Expression is too complex to evaluate safely.", at: range)
  }

  private func checkLevels(_ operand: Operand) throws(Failure) -> Operand {
    guard operand.levels > Self.mostLevels else { return operand }
    throw failure(
      "Expression is too complex to evaluate safely.",
      at: operand.expression.range
    )
  }

  // MARK: Operators

  private mutating func operation(above precedence: Int) throws(Failure) -> Operand {
    var left = try unary()
    while true {
      guard !at(.increment), !at(.decrement) else { throw misplacedIncrement() }
      if at(.is), 4 > precedence {
        left = try typeCheck(left)
      } else if let binary = binaryOperator, binary.precedence > precedence {
        left = try operation(left, binary.operator, binary.precedence)
      } else {
        return left
      }
    }
  }

  private var binaryOperator: (operator: BinaryOperator, precedence: Int)? {
    switch token.kind {
    case .keyword(.in): (.in, 3)
    case .symbol(let symbol):
      switch symbol {
      case .or: (.or, 1)
      case .and: (.and, 2)
      case .equal: (.equal, 4)
      case .notEqual: (.notEqual, 4)
      case .less: (.less, 5)
      case .lessOrEqual: (.lessOrEqual, 5)
      case .greater: (.greater, 5)
      case .greaterOrEqual: (.greaterOrEqual, 5)
      case .plus: (.plus, 6)
      case .minus: (.minus, 6)
      case .star: (.times, 7)
      case .slash: (.divide, 7)
      case .percent: (.remainder, 7)
      default: nil
      }
    default: nil
    }
  }

  private mutating func operation(
    _ left: Operand,
    _ op: BinaryOperator,
    _ precedence: Int
  ) throws(Failure) -> Operand {
    try checkHeight(left.height + 1, of: left.expression.range)
    let token = next().range
    depth += 1
    let right = try operation(above: precedence)
    depth -= 1
    return try checkLevels(
      Operand(
        Expression(
          .binary(op, left.expression, right.expression),
          at: left.expression.range.extended(to: right.expression.range),
          token: token
        ),
        height: 1 + max(left.height, right.height),
        over: [left, right]
      )
    )
  }

  private mutating func typeCheck(_ value: Operand) throws(Failure) -> Operand {
    try checkHeight(value.height + 1, of: value.expression.range)
    let token = next().range
    let type = try name()
    guard TestableTypes.names.contains(type.text) else {
      throw failure(
        "An unsupported type identifier was used with the 'is' operator. Received \(type.text). "
          + "Expected one of \(TestableTypes.names.joined(separator: ","))"
      )
    }
    return try checkLevels(
      Operand(
        Expression(
          .typeCheck(value.expression, type.text),
          at: value.expression.range.extended(to: type.range),
          token: token
        ),
        height: 1 + value.height,
        over: [value]
      )
    )
  }

  private mutating func conditional(_ condition: Operand) throws(Failure) -> Operand {
    try checkHeight(condition.height + 1, of: condition.expression.range)
    let token = next().range
    let first = try inner()
    try expect(.colon)
    let second = try inner()
    return try checkLevels(
      Operand(
        Expression(
          .conditional(condition.expression, first.expression, second.expression),
          at: condition.expression.range.extended(to: second.expression.range),
          token: token
        ),
        height: 1 + max(condition.height, first.height, second.height),
        over: [condition, first, second]
      )
    )
  }

  private mutating func misplacedIncrement() -> Failure {
    next()
    return failure("Increment (++) and decrement (--) operators are not supported.")
  }

  private mutating func unary() throws(Failure) -> Operand {
    try checkHeight(1, of: token.range)
    guard !at(.increment), !at(.decrement) else { throw misplacedIncrement() }
    if at(.exclamation) {
      let token = next().range
      depth += 1
      let value = try unary()
      depth -= 1
      return try unary(.not, value, token, height: 1 + value.height)
    }
    if at(.minus) {
      let token = next().range
      if self.token.kind == .integer, Self.isMinimum(text[self.token.range]) {
        let range = token.extended(to: next().range)
        return Operand(Expression(.literal(.integer(.min)), at: range, token: token))
      }
      let value = try postfix()
      return try unary(.minus, value, token, height: value.height)
    }
    var value = try postfix()
    guard let parenthesis = value.parenthesis else { return value }
    let range = value.expression.range
    value.expression.range = parenthesis
    if !value.expression.isPlain { value.expression.range.end = range.end }
    return value
  }

  private mutating func unary(
    _ op: UnaryOperator,
    _ value: Operand,
    _ token: SourceRange,
    height: Int
  ) throws(Failure) -> Operand {
    try checkLevels(
      Operand(
        Expression(
          .unary(op, value.expression),
          at: token.extended(to: value.expression.range),
          token: token
        ),
        height: height,
        over: [value]
      )
    )
  }

  private static func isMinimum(_ digits: String) -> Bool {
    UInt64(digits) == Int64.min.magnitude
  }

  // MARK: Members

  private mutating func postfix() throws(Failure) -> Operand {
    let start = token.range
    var value = try primary()
    while true {
      if skip(.dot) {
        value = try member(value, start)
      } else if skip(.openBracket) {
        value = try element(value, start)
      } else {
        return value
      }
    }
  }

  private mutating func member(
    _ base: Operand,
    _ start: SourceRange
  ) throws(Failure) -> Operand {
    var base = base
    if case .variable(let name) = base.expression.kind, Signatures.namespaces.contains(name),
      let parenthesis = base.parenthesis
    {
      // `(math).abs(x)` isn't a function of a namespace.
      base.expression.range = parenthesis.extended(to: base.expression.range)
    }
    let canBeMethod = token.kind == .identifier
    let name = try memberName()
    var range = start.extended(to: name.range)
    guard canBeMethod, skip(.openParenthesis) else {
      return try checkLevels(
        Operand(
          Expression(.member(base.expression, name.text), at: range, token: name.range),
          height: base.height,
          over: [base]
        )
      )
    }
    let arguments = try expressions(until: .closeParenthesis)
    if let last = arguments.last { range = range.extended(to: last.expression.range) }
    return try checkLevels(
      Operand(
        Expression(
          .methodCall(base.expression, name.text, arguments.map(\.expression)),
          at: range,
          token: name.range
        ),
        height: max(base.height, 1 + (arguments.map(\.height).max() ?? 0)),
        over: [base] + arguments
      )
    )
  }

  /// Parses the name of a member, which can be a keyword.
  private mutating func memberName() throws(Failure) -> Name {
    switch token.kind {
    case .identifier: break
    case .keyword(let keyword) where keyword != .rulesVersion: break
    default: throw unexpected()
    }
    let range = next().range
    return Name(text[range], at: range)
  }

  private mutating func element(
    _ base: Operand,
    _ start: SourceRange
  ) throws(Failure) -> Operand {
    let from = at(.colon) ? nil : try inner()
    guard skip(.colon) else {
      guard let index = from else { throw unexpected() }
      try expect(.closeBracket)
      return try checkLevels(
        Operand(
          Expression(
            .element(base.expression, index: index.expression),
            at: start.extended(to: index.expression.range),
            token: base.expression.token
          ),
          height: max(base.height, 1 + index.height),
          over: [base, index]
        )
      )
    }
    let to = at(.closeBracket) ? nil : try inner()
    try expect(.closeBracket)
    let bounds = [from, to].compactMap { $0 }
    return try checkLevels(
      Operand(
        Expression(
          .slice(base.expression, from: from?.expression, to: to?.expression),
          at: start.extended(to: (bounds.last ?? base).expression.range),
          token: base.expression.token
        ),
        height: max(base.height, 1 + (bounds.map(\.height).max() ?? 0)),
        over: [base] + bounds
      )
    )
  }

  /// Parses expressions between commas up to a closing symbol. A comma may follow the last one.
  private mutating func expressions(
    until end: Token.Symbol
  ) throws(Failure) -> [Operand] {
    var expressions: [Operand] = []
    while !skip(end) {
      expressions.append(try inner())
      guard skip(.comma) else {
        try expect(end)
        break
      }
    }
    return expressions
  }

  // MARK: Primary expressions

  private mutating func primary() throws(Failure) -> Operand {
    let range = token.range
    switch token.kind {
    case .identifier:
      next()
      return skip(.openParenthesis)
        ? try call(Name(text[range], at: range))
        : Operand(Expression(.variable(text[range]), at: range))
    case .symbol(.openParenthesis):
      next()
      var value = try inner()
      try expect(.closeParenthesis)
      value.height += 1
      value.parenthesis = range
      return value
    case .symbol(.openBracket):
      next()
      return try list(range)
    case .symbol(.openBrace):
      next()
      return try map(range)
    case .pathSegment, .symbol(.slash):
      return try path()
    case .openQuote:
      let quote = text[next().range].prefix(1)
      throw failure("Missing a closing \(quote)")
    default:
      return Operand(Expression(.literal(try literal()), at: range))
    }
  }

  private mutating func call(_ name: Name) throws(Failure) -> Operand {
    let arguments = try expressions(until: .closeParenthesis)
    return try checkLevels(
      Operand(
        Expression(
          .call(name.text, arguments.map(\.expression)),
          at: name.range.extended(to: arguments.last?.expression.range ?? name.range),
          token: name.range
        ),
        height: 1 + (arguments.map(\.height).max() ?? 0),
        over: arguments
      )
    )
  }

  private mutating func list(_ start: SourceRange) throws(Failure) -> Operand {
    let elements = try expressions(until: .closeBracket)
    return try checkLevels(
      Operand(
        Expression(
          .list(elements.map(\.expression)),
          at: start.extended(to: elements.last?.expression.range ?? start),
          token: start
        ),
        height: 1 + (elements.map(\.height).max() ?? 0),
        over: elements
      )
    )
  }

  private mutating func map(_ start: SourceRange) throws(Failure) -> Operand {
    var entries: [(key: Expression, value: Expression)] = []
    var operands: [Operand] = []
    while !skip(.closeBrace) {
      let key = try inner()
      try expect(.colon)
      let value = try inner()
      entries.append((key.expression, value.expression))
      operands += [key, value]
      guard skip(.comma) else {
        try expect(.closeBrace)
        break
      }
    }
    return try checkLevels(
      Operand(
        Expression(
          .map(entries),
          at: start.extended(to: entries.last?.value.range ?? start),
          token: start
        ),
        height: 1 + (operands.map(\.height).max() ?? 0),
        over: operands
      )
    )
  }

  // MARK: Paths

  private mutating func path() throws(Failure) -> Operand {
    let start = token.range
    var parts: [Expression.PathPart] = []
    var computed: [Operand] = []
    var end = start
    while let next = pathContinuation {
      switch next {
      case .segment:
        end = self.next().range
        parts.append(.literal(segmentText(end)))
      case .binding:
        self.next()
        self.next()
        let name = try name()
        _ = try binding(name.text)
        end = name.range
        // No document's path has such a segment: an ID can't contain a slash.
        parts.append(.literal("/{\(name.text)}"))
      case .computed:
        self.next()
        self.next()
        self.next()
        let value = try inner()
        try expect(.closeParenthesis)
        end = value.expression.range
        parts.append(.computed(value.expression))
        computed.append(value)
      }
    }
    if parts.isEmpty || at(.slash) && !slashDividesPath {
      throw misplacedSlash()
    }
    return try checkLevels(
      Operand(
        Expression(.path(parts), at: start.extended(to: end), token: start),
        height: 1 + (computed.map(\.height).max() ?? 0),
        over: computed
      )
    )
  }

  /// A Boolean value that indicates whether the current slash, which stands behind a path, divides
  /// the path by what follows. What could also be an index or a subtraction isn't a divisor for
  /// Google's compiler.
  private var slashDividesPath: Bool {
    switch peek(1) {
    case .pathSegment, .symbol(.slash), .symbol(.minus): false
    case .symbol(.openBracket): isList(at: 1)
    case let next: Self.canBeginExpression(next)
    }
  }

  /// Returns whether the bracket at some tokens' distance begins a list that can't be an index: one
  /// that is empty or has a comma.
  private func isList(at distance: Int) -> Bool {
    var distance = distance + 1
    if peek(distance) == .symbol(.closeBracket) { return true }
    if peek(distance) == .symbol(.comma) { return false }
    var depth = 0
    while true {
      switch peek(distance) {
      case .symbol(.openBracket), .symbol(.openParenthesis), .symbol(.openBrace): depth += 1
      case .symbol(.closeBracket), .symbol(.closeParenthesis), .symbol(.closeBrace):
        guard depth > 0 else { return false }
        depth -= 1
      case .symbol(.comma): if depth == 0 { return true }
      case .symbol(.semicolon), .end: return false
      default: break
      }
      distance += 1
    }
  }

  private enum PathContinuation {
    case segment, binding, computed
  }

  /// The continuation of a path at the current token. Another slash divides the path by its operand.
  private var pathContinuation: PathContinuation? {
    if token.kind == .pathSegment { return .segment }
    guard at(.slash) else { return nil }
    if peek(1) == .symbol(.dollar), peek(2) == .symbol(.openParenthesis) { return .computed }
    guard peek(1) == .symbol(.openBrace), peek(2) == .identifier else { return nil }
    return peek(3) == .symbol(.closeBrace) || peek(3) == .symbol(.assign) ? .binding : nil
  }
}

extension Expression {
  /// A Boolean value that indicates whether the expression is a literal, or an empty list or map.
  /// In parentheses, its place is that of the opening one, as in Google's coverage.
  fileprivate var isPlain: Bool {
    switch kind {
    case .literal: true
    case .list(let elements): elements.isEmpty
    case .map(let entries): entries.isEmpty
    default: false
    }
  }
}
