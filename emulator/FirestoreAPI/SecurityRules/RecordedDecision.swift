package import Rules

/// A decision of rules, with what it depends on.
package struct RecordedDecision: Sendable {
  /// What the decision depends on besides the documents that the rules read.
  struct Evidence: Sendable {
    let request: RulesRequest
    /// What the rules could use before the decision.
    let budget: RequestBudget
  }

  /// What the decision depends on, or `nil` if it is too large to be kept.
  private(set) var evidence: Evidence?
  package let method: RulesMethod
  private let segments: ArraySlice<RulesRequest.PathSegment>
  /// The decision, with a limited number of reasons.
  package let decision: Decision
  /// The place of the statement that has allowed the request, if one has.
  package let statement: SourceRange?

  init(
    on request: RulesRequest,
    budget: RequestBudget,
    _ decision: Decision,
    by statement: SourceRange?
  ) {
    evidence = Evidence(request: request, budget: budget)
    self.decision = decision.shortened
    self.statement = statement
    method = request.method
    segments = request.path.dropFirst(3)
  }

  /// The path below `documents`. `*` is any document ID or collection, `**` any path.
  package var path: String {
    segments.map { segment in
      switch segment {
      case .named(let name): name
      case .anyOne: "*"
      case .anyNumber: "**"
      }
    }.joined(separator: "/")
  }

  /// A Boolean value that indicates whether the rules must prove that all documents which a query
  /// can find may be read.
  package var isProof: Bool { segments.contains { $0 == .anyOne || $0 == .anyNumber } }

  var withoutEvidence: RecordedDecision {
    var decision = self
    decision.evidence = nil
    return decision
  }

  /// The approximate bytes of the texts.
  var textSize: Int {
    var size = 256
    for case .named(let name) in segments { size += 32 + name.utf8.count }
    if case .denied(let reasons) = decision {
      for reason in reasons { size += 16 + reason.utf8.count }
    }
    return size
  }
}

extension Decision {
  /// The most reasons that are kept of a denial.
  private static let mostReasons = 20

  /// The decision with at most 20 reasons, those of failed evaluations first, and the number of the
  /// others.
  var shortened: Decision {
    guard case .denied(let reasons) = self, reasons.count > Self.mostReasons else { return self }
    let isFalse = { (reason: String) in reason.utf8.starts(with: "false ".utf8) }
    let named = (reasons.filter { !isFalse($0) } + reasons.filter(isFalse))
      .prefix(Self.mostReasons)
    return .denied(named + ["and \(reasons.count - Self.mostReasons) more"])
  }
}
