import Core

/// The search for the `allow` statements that match a request's path.
struct PathMatcher {
  /// An `allow` statement of a block that matches the path, with the block's scope.
  struct Match {
    let statement: AllowStatement
    let scope: Scope
  }

  private let version: Ruleset.Version
  private let method: RulesMethod
  private(set) var matches: [Match] = []

  /// Searches a service's rules.
  init(_ request: RulesRequest, in service: ServiceDeclaration, _ version: Ruleset.Version) {
    self.version = version
    method = request.method
    let variables = request.variables.map { (name: $0.key.string, value: $0.value) }
    let root = Scope(
      in: nil,
      variables: variables.map { ($0.name, .success($0.value)) },
      functions: service.sharedFunctions
    )
    let scope = Scope(in: root, functions: service.functions)
    for block in service.matches { search(block, request.path[...], in: scope) }
  }

  private mutating func search(
    _ block: MatchBlock,
    _ path: ArraySlice<RulesRequest.PathSegment>,
    in scope: Scope
  ) {
    match(block.pattern[...], path, [], block, in: scope)
  }

  /// Matches the rest of a block's pattern with the rest of the path. A pattern has at most one
  /// recursive wildcard, and so have the blocks around it together, so the search is quadratic at
  /// worst.
  private mutating func match(
    _ pattern: ArraySlice<MatchBlock.Segment>,
    _ path: ArraySlice<RulesRequest.PathSegment>,
    _ variables: [(name: String, value: Scope.Variable)],
    _ block: MatchBlock,
    in scope: Scope
  ) {
    guard let segment = pattern.first else {
      return enter(block, path, Scope(in: scope, variables: variables, functions: block.functions))
    }
    switch segment {
    case .literal(let name):
      guard case .named(let id)? = path.first, id.hasSameBytes(as: name) else { return }
      match(pattern.dropFirst(), path.dropFirst(), variables, block, in: scope)
    case .wildcard(let name):
      guard let first = path.first, let value = first.value else { return }
      let bound = variables + [(name, value)]
      match(pattern.dropFirst(), path.dropFirst(), bound, block, in: scope)
    case .recursiveWildcard(let name):
      let least = version == .one ? 1 : 0
      guard path.count >= least else { return }
      for length in least...path.count {
        let bound = variables + [(name, path.prefix(length).value)]
        match(pattern.dropFirst(), path.dropFirst(length), bound, block, in: scope)
      }
    }
  }

  /// Takes the statements of a block if the path ends with it, or else searches the blocks in it.
  private mutating func enter(
    _ block: MatchBlock,
    _ rest: ArraySlice<RulesRequest.PathSegment>,
    _ scope: Scope
  ) {
    if rest.isEmpty {
      for statement in block.allows where statement.methods.contains(method) {
        matches.append(Match(statement: statement, scope: scope))
      }
    }
    for inner in block.matches { search(inner, rest, in: scope) }
  }
}

extension RulesRequest.PathSegment {
  /// The value of a wildcard that matches the segment, or `nil` if no wildcard for one segment does.
  fileprivate var value: Scope.Variable? {
    switch self {
    case .named(let name): .success(.string(name))
    case .anyOne: .failure(.nullValue)
    case .anyNumber: nil
    }
  }
}

extension ArraySlice<RulesRequest.PathSegment> {
  /// The value of a recursive wildcard that matches the segments.
  fileprivate var value: Scope.Variable {
    var names: [String] = []
    for segment in self {
      guard case .named(let name) = segment else {
        return .failure(EvaluationError("Variable  is not bound in path template."))
      }
      names.append(name)
    }
    return .success(.path(RulesPath(names)))
  }
}
