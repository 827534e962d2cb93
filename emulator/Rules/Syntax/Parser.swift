/// Makes the syntax tree of a ruleset's tokens. Stops at the first syntax error.
struct Parser {
  struct Failure: Error {
    var issue: Issue
  }

  let text: SourceText
  private let tokens: [Token]
  private var index = 0
  /// The number of expressions around the current token.
  var depth = 0
  /// The number of match blocks around the current token.
  private var matchDepth = 0
  /// Errors that aren't errors of syntax.
  var issues: [Issue] = []

  /// - Parameter tokens: The text's tokens; the last one is of kind `end`.
  init(_ text: SourceText, tokens: [Token]) {
    self.text = text
    self.tokens = tokens
  }

  // MARK: Tokens

  var token: Token { tokens[index] }

  /// The token before the current one.
  var previous: Token { tokens[max(0, index - 1)] }

  func peek(_ count: Int) -> Token.Kind { tokens[min(index + count, tokens.count - 1)].kind }

  func at(_ symbol: Token.Symbol) -> Bool { token.kind == .symbol(symbol) }

  func at(_ keyword: Token.Keyword) -> Bool { token.kind == .keyword(keyword) }

  @discardableResult mutating func next() -> Token {
    let token = token
    if token.kind != .end { index += 1 }
    return token
  }

  mutating func skip(_ symbol: Token.Symbol) -> Bool {
    guard at(symbol) else { return false }
    next()
    return true
  }

  mutating func expect(_ symbol: Token.Symbol) throws(Failure) {
    guard skip(symbol) else { throw unexpected() }
  }

  mutating func expect(_ keyword: Token.Keyword) throws(Failure) {
    guard at(keyword) else { throw unexpected() }
    next()
  }

  mutating func expect(_ kind: Token.Kind) throws(Failure) -> Token {
    guard token.kind == kind else { throw unexpected() }
    return next()
  }

  mutating func name() throws(Failure) -> Name {
    let token = try expect(.identifier)
    return Name(text[token.range], at: token.range)
  }

  func failure(_ description: String, at range: SourceRange? = nil) -> Failure {
    Failure(issue: Issue(.error, description, at: range ?? token.range))
  }

  func unexpected() -> Failure {
    failure("Unexpected '\(token.kind == .end ? "<EOF>" : text[token.range])'.")
  }

  // MARK: Files

  mutating func parse() throws(Failure) -> SyntaxTree {
    var tree = SyntaxTree()
    if at(.rulesVersion) { tree.version = try version() }
    while at(.import) { tree.imports.append(try importStatement()) }
    repeat {
      if at(.function) {
        tree.functions.append(try function())
      } else if at(.service) {
        tree.services.append(try service())
      } else {
        throw unexpected()
      }
    } while token.kind != .end
    return tree
  }

  private mutating func version() throws(Failure) -> Name {
    let range = next().range
    try expect(.assign)
    let token = try expect(.string)
    _ = skip(.semicolon)
    return Name(string(token), at: range)
  }

  private mutating func importStatement() throws(Failure) -> Name {
    let range = next().range
    let module = try expect(.string)
    if token.kind == .identifier, text[token.range] == "as" {
      next()
      _ = try name()
    }
    try expect(.semicolon)
    return Name(string(module), at: range)
  }

  private mutating func service() throws(Failure) -> ServiceDeclaration {
    next()
    let name = try expect(.serviceName)
    try expect(.openBrace)
    if at(.closeBrace) {
      throw failure("The 'service' body must contain at least one declaration.")
    }
    var functions: [FunctionDeclaration] = []
    var matches: [MatchBlock] = []
    while !skip(.closeBrace) {
      if at(.match) {
        matches.append(try match())
      } else if at(.function) {
        functions.append(try function())
      } else {
        throw unexpectedStatement()
      }
    }
    return ServiceDeclaration(
      name: text[name.range],
      functions: functions,
      matches: matches,
      nameRange: name.range
    )
  }

  private func unexpectedStatement() -> Failure {
    guard token.kind == .pathSegment || at(.slash) else { return unexpected() }
    return failure("Missing 'match' keyword before path.")
  }

  // MARK: Matches

  /// The most match blocks inside one another that the parser follows, as Google's does.
  private static let deepestMatch = 63

  private mutating func match() throws(Failure) -> MatchBlock {
    let start = next().range
    let pattern = try pattern()
    try expect(.openBrace)
    if at(.closeBrace) {
      throw failure("The 'match' body must contain at least one declaration.")
    }
    matchDepth += 1
    defer { matchDepth -= 1 }
    guard matchDepth <= Self.deepestMatch else {
      throw failure("Rule hierarchy is too complex to evaluate safely.", at: start)
    }
    var functions: [FunctionDeclaration] = []
    var allows: [AllowStatement] = []
    var matches: [MatchBlock] = []
    while !skip(.closeBrace) {
      if at(.match) {
        matches.append(try match())
      } else if at(.allow) {
        allows.append(try allow())
      } else if at(.function) {
        functions.append(try function())
      } else {
        throw unexpectedStatement()
      }
    }
    var range = start
    range.end = previous.range.end
    return MatchBlock(
      pattern: pattern.map(\.segment),
      functions: functions,
      allows: allows,
      matches: matches,
      range: range,
      segmentRanges: pattern.map(\.range)
    )
  }

  private mutating func pattern() throws(Failure) -> [(
    segment: MatchBlock.Segment, range: SourceRange
  )] {
    var segments: [(segment: MatchBlock.Segment, range: SourceRange)] = []
    while true {
      if token.kind == .pathSegment {
        let range = next().range
        segments.append((.literal(segmentText(range)), range))
      } else if at(.slash) {
        guard peek(1) == .symbol(.openBrace) else { throw misplacedSlash() }
        let slash = next().range
        next()
        guard token.kind == .identifier else { throw misplacedSlash(at: slash) }
        let name = try name()
        segments.append((try binding(name.text), name.range))
      } else if segments.isEmpty {
        throw unexpected()
      } else {
        return segments
      }
    }
  }

  /// Parses the rest of a wildcard behind its name.
  mutating func binding(_ name: String) throws(Failure) -> MatchBlock.Segment {
    var segment = MatchBlock.Segment.wildcard(name)
    if skip(.assign) {
      if skip(.stars) { segment = .recursiveWildcard(name) } else { try expect(.star) }
    }
    try expect(.closeBrace)
    return segment
  }

  func misplacedSlash(at range: SourceRange? = nil) -> Failure {
    failure("Forward slash '/' found where identifier or binding expected.", at: range)
  }

  /// The text of a path's segment without the slash.
  func segmentText(_ range: SourceRange) -> String { String(text[range].dropFirst()) }

  private mutating func allow() throws(Failure) -> AllowStatement {
    var range = next().range
    guard token.kind == .identifier else {
      throw failure("Expected at least one 'operation' after 'allow'.")
    }
    var names = [try name()]
    while at(.comma), peek(1) == .identifier {
      next()
      names.append(try name())
    }
    var condition: Expression?
    if at(.if) { throw failure("Missing ':' before 'if' condition.") }
    if skip(.colon) {
      if !at(.if), beginsExpression {
        throw failure("Missing 'if' before conditional expression.")
      }
      try expect(.if)
      guard beginsExpression else {
        throw failure("Missing conditional expression after 'if'.")
      }
      condition = try expression()
    }
    _ = skip(.semicolon)
    range.end = previous.range.end
    return AllowStatement(methodNames: names, condition: condition, range: range)
  }

  // MARK: Functions

  private mutating func function() throws(Failure) -> FunctionDeclaration {
    var range = next().range
    guard !at(.openParenthesis) else { throw failure("Missing 'function' id") }
    let name = try name()
    guard !at(.openBrace) else { throw failure("Missing 'function' signature") }
    try expect(.openParenthesis)
    var parameters: [Name] = []
    if !at(.closeParenthesis) {
      parameters.append(try self.name())
      while skip(.comma) { parameters.append(try self.name()) }
    }
    try expect(.closeParenthesis)
    try expect(.openBrace)
    guard !at(.closeBrace) else { throw failure("Missing 'function' body") }
    var bindings: [FunctionDeclaration.Binding] = []
    while at(.let) { bindings.append(try bindingStatement()) }
    try expect(.return)
    let result = try expression()
    _ = skip(.semicolon)
    try expect(.closeBrace)
    range.end = previous.range.end
    return FunctionDeclaration(
      name: name.text,
      parameters: parameters.map(\.text),
      bindings: bindings,
      result: result,
      range: range,
      nameRange: name.range,
      parameterRanges: parameters.map(\.range)
    )
  }

  private mutating func bindingStatement() throws(Failure) -> FunctionDeclaration.Binding {
    var range = next().range
    let name = try name()
    try expect(.assign)
    let value = try expression()
    guard at(.semicolon) else {
      throw at(.return)
        ? failure("missing ';' at '\(text[token.range])'") : unexpected()
    }
    next()
    range.end = value.range.end
    return FunctionDeclaration.Binding(
      name: name.text,
      value: value,
      range: range,
      nameRange: name.range
    )
  }
}
