extension RulesetChecks {
  /// The declarations of the match blocks around a block.
  struct Enclosing {
    var depth = 0
    var pathLength = 0
    var variableCount = 0
    var hasRecursiveWildcard = false
    /// A Boolean value that indicates whether a limit is exceeded. Each limit is reported once.
    var isTooDeep = false
    var isTooLong = false
    var hasTooManyVariables = false
  }

  private static let deepestMatch = 11
  private static let mostVariables = 20
  private static let longestPath = 100

  mutating func check(_ match: MatchBlock, in enclosing: Enclosing) {
    var inner = enclosing
    checkLimits(of: match, &inner)
    var names = Names()
    let globIsValid = checkPattern(of: match, &inner, &names)
    if enclosing.hasRecursiveWildcard, globIsValid, version == .two, inner.hasRecursiveWildcard,
      match.hasRecursiveWildcard
    {
      error(
        "Invalid glob match expression. Only one glob match is permitted in a match declaration "
          + "path.",
        at: match.keywordRange
      )
    }
    if version == .one, match.hasRecursiveWildcard, !match.matches.isEmpty {
      warn(
        "Glob(**) resource rules should not have child resource rules.",
        at: match.keywordRange
      )
    }
    withScope(names) { checks in
      checks.check(match.functions)
      for allow in match.allows { checks.check(allow) }
      for match in match.matches { checks.check(match, in: inner) }
    }
  }

  private mutating func checkLimits(of match: MatchBlock, _ inner: inout Enclosing) {
    inner.depth += 1
    inner.variableCount += match.pattern.count { $0.variable != nil }
    if inner.depth > Self.deepestMatch, !inner.isTooDeep {
      inner.isTooDeep = true
      error("Maximum allowed resource rule depth of 10 is reached.", at: match.keywordRange)
    }
    inner.pathLength += match.pattern.count
    if inner.pathLength > Self.longestPath, !inner.isTooLong {
      inner.isTooLong = true
      error(
        "Maximum allowed path length of \(Self.longestPath) is reached.",
        at: match.keywordRange
      )
    }
    if inner.variableCount > Self.mostVariables, !inner.hasTooManyVariables {
      inner.hasTooManyVariables = true
      error(
        "Maximum allowed amount of \(Self.mostVariables) match field variables is reached.",
        at: match.keywordRange
      )
    }
  }

  /// Checks the wildcards. Returns whether the pattern has no error.
  private mutating func checkPattern(
    of match: MatchBlock,
    _ inner: inout Enclosing,
    _ names: inout Names
  ) -> Bool {
    let count = issues.count
    var globCount = 0
    let types: Types =
      (match.pattern.contains { $0.variable != nil && !$0.isRecursive } ? [.string] : [])
      + (match.hasRecursiveWildcard ? [.path] : [])
    for (index, segment) in match.pattern.enumerated() {
      guard let name = segment.variable else { continue }
      let range = match.segmentRanges[index]
      checkVariableName(name, at: range)
      if names.variables.updateValue(types, forKey: name) != nil {
        error("Variable \(name) already exists in the PathTemplate.", at: range)
      }
      guard segment.isRecursive else { continue }
      globCount += 1
      if version == .one, index < match.pattern.count - 1 {
        error(
          "Invalid glob match expression. Glob matches are permitted as the last segment in a "
            + "match declaration path.",
          at: range
        )
      } else if version == .two, globCount > 1 {
        error(
          "Invalid glob match expression. Only one glob match is permitted in a match declaration "
            + "path.",
          at: range
        )
      }
    }
    guard issues[count...].allSatisfy({ $0.severity != .error }) else { return false }
    inner.hasRecursiveWildcard = inner.hasRecursiveWildcard || globCount > 0
    return true
  }

  private mutating func check(_ allow: AllowStatement) {
    let hasMethods = service.flatMap(RulesService.init) != nil
    for name in allow.methodNames where !hasMethods || RulesMethod.named(name.text).isEmpty {
      warn("Invalid method name: \(name.text).", at: name.range)
    }
    guard let condition = allow.condition else { return }
    let types = check(condition, expecting: nil, isPermission: true)
    guard let types, !types.contains(.bool) else { return }
    warn(
      "Invalid type. Permission statements expect a boolean value. Received one of "
        + "[\(types.list)].",
      at: condition.place
    )
    warnOfVariable(condition)
  }
}

extension MatchBlock {
  fileprivate var hasRecursiveWildcard: Bool { pattern.contains(where: \.isRecursive) }

  /// The place of the word `match`.
  var keywordRange: SourceRange {
    var range = range
    range.end = range.start + "match".count - 1
    return range
  }
}

extension MatchBlock.Segment {
  /// The name of a wildcard.
  var variable: String? {
    switch self {
    case .literal: nil
    case .wildcard(let name), .recursiveWildcard(let name): name
    }
  }

  var isRecursive: Bool {
    if case .recursiveWildcard = self { true } else { false }
  }
}
