/// The search for statements that have no effect, which Google's compiler doesn't warn of.
struct RulesLint {
  /// The path of a document in front of its collection: `/databases/{database}/documents`.
  private static let rootLength = 3

  private let service: RulesService
  private(set) var issues: [Issue] = []

  init(_ service: RulesService) { self.service = service }

  /// Checks a block and the blocks in it.
  ///
  /// - Parameter path: The patterns of the blocks around it, one after the other.
  mutating func check(_ match: MatchBlock, under path: [MatchBlock.Segment] = []) {
    let path = path + match.pattern
    if !match.allows.isEmpty, let reason = reasonNotToMatch(path) {
      issues.append(
        Issue(
          .warning,
          "No request matches \(path.map(\.text).joined()): \(reason).",
          at: match.keywordRange
        )
      )
    }
    checkMethods(of: match)
    for match in match.matches { check(match, under: path) }
  }

  private func reasonNotToMatch(_ path: [MatchBlock.Segment]) -> String? {
    let glob = path.firstIndex(where: \.isRecursive)
    let start = path.prefix(glob ?? path.count)
    switch service {
    case .firestore:
      let isUnderRoot =
        start.first.canBe("databases") && start.dropFirst(2).first.canBe("documents")
      guard isUnderRoot, glob != nil || path.count >= Self.rootLength else {
        return "paths begin with /databases/{database}/documents"
      }
      guard glob == nil else { return nil }
      if path.count == Self.rootLength { return "it names the database, not a document" }
      return path.count % 2 == Self.rootLength % 2 ? nil : "it names a collection, not a document"
    case .storage:
      let isUnderRoot = start.first.canBe("b") && start.dropFirst(2).first.canBe("o")
      return isUnderRoot && (glob != nil || path.count >= Self.rootLength)
        ? nil : "paths of objects begin with /b/{bucket}/o"
    }
  }

  /// Warns of statements whose methods another statement of the block allows without a condition.
  private mutating func checkMethods(of match: MatchBlock) {
    var open: Set<RulesMethod> = []
    var openers: Set<Int> = []
    for (index, allow) in match.allows.enumerated()
    where allow.isUnconditional && !allow.methods.isSubset(of: open) {
      open.formUnion(allow.methods)
      openers.insert(index)
    }
    for (index, allow) in match.allows.enumerated()
    where !openers.contains(index) && !allow.methods.isEmpty && allow.methods.isSubset(of: open) {
      issues.append(
        Issue(
          .warning,
          "This statement has no effect: the block allows the same methods without a condition.",
          at: allow.keywordRange
        )
      )
    }
  }
}

extension MatchBlock.Segment? {
  /// Returns whether a segment of a path can have a name. `nil` is a segment that a recursive
  /// wildcard can stand for.
  fileprivate func canBe(_ name: String) -> Bool {
    if case .literal(let text) = self { text == name } else { true }
  }
}

extension MatchBlock.Segment {
  /// The segment as it is written.
  fileprivate var text: String {
    switch self {
    case .literal(let name): "/\(name)"
    case .wildcard(let name): "/{\(name)}"
    case .recursiveWildcard(let name): "/{\(name)=**}"
    }
  }
}

extension AllowStatement {
  fileprivate var isUnconditional: Bool {
    guard let condition else { return true }
    if case .literal(.boolean(true)) = condition.kind { return true }
    return false
  }

  /// The place of the word `allow`.
  fileprivate var keywordRange: SourceRange {
    var range = range
    range.end = range.start + "allow".count - 1
    return range
  }
}
