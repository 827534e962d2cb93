import Core
package import FirestoreModel
package import Rules
import Store

/// A client's request, and what security rules have decided about it.
package final class RecordedRequest: Sendable {
  /// What the request does.
  enum Call: Sendable {
    case commit([Write])
    case get([DocumentName])
    case list(StructuredQuery, below: ResourceName)
    case listen(WatchTarget)
  }

  package enum Kind: String, CaseIterable, Sendable {
    case commit, get, list, listen
  }

  package let number: Int
  package let time: Timestamp
  package let database: DatabaseName
  package let caller: RulesCaller
  let inTransaction: Bool
  package let kind: Kind
  /// The conditions of a query, or `nil` if the request is another one.
  package let query: String?
  /// What the request does, or `nil` if it is too large to be kept.
  let call: Call?
  /// The file with the rules that have decided.
  package let file: RulesFile
  /// The decisions on the request's documents, or on the alternatives of its filter, in order. Those
  /// after the first ones are left out, but not a denial, which is the last one.
  package let decisions: [RecordedDecision]
  /// The number of decisions.
  package let decisionCount: Int
  /// The documents that the rules have read, or `nil` if the request is too large to be kept.
  let documents: RecordedDocuments?
  /// The error that the client has got, or `nil` if the rules have allowed the request.
  package let denial: String?
  /// The approximate number of bytes that the request keeps in memory.
  let size: Int

  /// - Parameter contents: The documents that the request reads or writes.
  init(
    number: Int,
    time: Timestamp,
    database: DatabaseName,
    caller: RulesCaller,
    inTransaction: Bool,
    call: Call,
    file: RulesFile,
    decisions: [RecordedDecision],
    decisionCount: Int,
    documents: RecordedDocuments,
    contents: [Fields],
    denial: String?
  ) {
    let size = Self.size(of: call, by: caller, contents, documents, decisions)
    let isKept = size != nil
    self.number = number
    self.time = time
    self.database = database
    self.caller = isKept ? caller : caller.withoutClaims
    self.inTransaction = inTransaction
    kind = call.kind
    query = call.query?.conditionsText.cut(to: 1_000)
    self.call = isKept ? call : nil
    self.file = file
    self.decisions = isKept ? decisions : decisions.map(\.withoutEvidence)
    self.decisionCount = decisionCount
    self.documents = isKept ? documents : nil
    self.denial = denial
    let texts = decisions.reduce(denial?.utf8.count ?? 0) { $0 + $1.textSize }
    self.size = 1_024 + (size ?? 0) + texts + (query?.utf8.count ?? 0)
  }
}

extension RecordedRequest {
  /// Returns the explanation of a decision, which is made again on the same documents.
  ///
  /// - Returns: The explanation, or `nil` if the request is too large to be kept, or if the decision
  ///   can't be repeated because the rules ran out of time.
  package func explanation(of decision: RecordedDecision) -> DecisionExplanation? {
    guard let evidence = decision.evidence, let documents, let ruleset = file.ruleset else {
      return nil
    }
    let explanation = DecisionExplanation(
      of: evidence.request,
      under: ruleset,
      documents: documents,
      budget: evidence.budget
    )
    return explanation.decision.shortened == decision.decision ? explanation : nil
  }
}

extension RecordedRequest.Call {
  fileprivate var query: StructuredQuery? {
    switch self {
    case .list(let query, _), .listen(.query(let query, _)): query
    case .commit, .get, .listen(.documents): nil
    }
  }

  fileprivate var kind: RecordedRequest.Kind {
    switch self {
    case .commit: .commit
    case .get: .get
    case .list: .list
    case .listen: .listen
    }
  }
}
