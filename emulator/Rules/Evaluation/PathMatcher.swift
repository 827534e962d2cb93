import Core

/// The search for the `allow` statements that match a request's path.
struct PathMatcher {
  /// An `allow` statement of a block that matches the path, with the block's scope.
  struct Match {
    let statement: AllowStatement
    let scope: Scope
  }

  private typealias Path = ArraySlice<RulesRequest.PathSegment>

  private let version: Ruleset.Version
  private let method: RulesMethod
  private(set) var matches: [Match] = []

  /// Searches a service's rules.
  init(_ request: RulesRequest, in service: ServiceDeclaration, of ruleset: Ruleset) {
    version = ruleset.version
    method = request.method
    let root = Scope(in: nil, functions: ruleset.functions)
    root.define("request", .success(request.request))
    if let resource = request.resource { root.define("resource", .success(resource)) }
    let scope = Scope(in: root, functions: service.functions)
    for block in service.matches { search(block, request.path[...], in: scope) }
  }

  /// Searches a block, if its pattern matches the beginning of the path.
  ///
  /// The pattern, those of the blocks around it and those of the blocks in it have at most one
  /// recursive wildcard together. So the blocks in one with such a wildcard take a limited number of
  /// segments, and the wildcard takes all others: a long path takes no more attempts.
  private mutating func search(_ block: MatchBlock, _ path: Path, in scope: Scope) {
    let fixedCount = block.pattern.count { !$0.isRecursive }
    guard path.count >= fixedCount else { return }
    // A pattern without a recursive wildcard is like one whose wildcard takes nothing.
    let isFixed = fixedCount == block.pattern.count
    let most = isFixed ? 0 : path.count - fixedCount
    let least = isFixed ? 0 : max(version == .two ? 0 : 1, most - block.innerLength)
    guard least <= most else { return }
    for length in least...most {
      if let scope = block.scope(of: path.prefix(fixedCount + length), glob: length, in: scope) {
        enter(block, path.dropFirst(fixedCount + length), scope)
      }
    }
  }

  /// Takes the statements of a block if the path ends with it, and searches the blocks in it.
  private mutating func enter(_ block: MatchBlock, _ rest: Path, _ scope: Scope) {
    if rest.isEmpty {
      for statement in block.allows where statement.methods.contains(method) {
        matches.append(Match(statement: statement, scope: scope))
      }
    }
    // In version 1, nothing matches in a block with a recursive wildcard.
    if version == .one, block.pattern.contains(where: \.isRecursive) { return }
    for inner in block.matches { search(inner, rest, in: scope) }
  }
}

extension MatchBlock {
  /// The most segments in the patterns of the blocks inside one another.
  fileprivate var innerLength: Int {
    matches.map { $0.pattern.count + $0.innerLength }.max() ?? 0
  }

  /// Returns the scope of the block for a part of a path, or `nil` if its pattern doesn't match.
  ///
  /// - Parameters:
  ///   - path: As many segments as the pattern takes.
  ///   - glob: The number of segments that its recursive wildcard takes.
  fileprivate func scope(
    of path: ArraySlice<RulesRequest.PathSegment>,
    glob: Int,
    in parent: Scope
  ) -> Scope? {
    var index = path.startIndex
    for segment in pattern {
      switch segment {
      case .literal(let name):
        guard case .named(let id) = path[index], id.hasSameBytes(as: name) else { return nil }
        index += 1
      case .wildcard:
        guard path[index].isOneSegment else { return nil }
        index += 1
      case .recursiveWildcard: index += glob
      }
    }
    let scope = Scope(in: parent, functions: functions)
    index = path.startIndex
    for segment in pattern {
      switch segment {
      case .literal: index += 1
      case .wildcard(let name):
        scope.define(name, path[index].value)
        index += 1
      case .recursiveWildcard(let name):
        scope.define(name, path[index..<index + glob].value)
        index += glob
      }
    }
    return scope
  }
}

extension RulesRequest.PathSegment {
  /// A Boolean value that indicates whether a wildcard for one segment matches the segment.
  fileprivate var isOneSegment: Bool {
    switch self {
    case .named(let name): !name.isEmpty
    case .anyOne: true
    case .anyNumber: false
    }
  }

  /// The value of a wildcard that matches the segment.
  fileprivate var value: Scope.Variable {
    switch self {
    case .named(let name): .success(.string(name))
    case .anyOne, .anyNumber: .failure(.nullValue)
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
