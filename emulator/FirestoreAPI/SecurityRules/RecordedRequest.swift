import Core
package import FirestoreModel
package import Rules
import Store

/// A client's request, and what security rules have decided about it.
package struct RecordedRequest: Sendable {
  /// What the request does.
  enum Call: Sendable {
    case commit([Write])
    case get([DocumentName])
    case list(StructuredQuery, below: ResourceName)
    case listen(WatchTarget)
  }

  package let number: Int
  package let time: Timestamp
  package let database: DatabaseName
  package let caller: RulesCaller
  /// What the request does, or `nil` if it is too large to be kept.
  let call: Call?
  /// The kind of the request: `commit`, `get`, `list` or `listen`.
  package let kind: String
  /// The file with the rules that have decided.
  package let file: RulesFile
  /// The decisions on the request's documents, or on the alternatives of its filter, in order. Those
  /// after the first ones are left out, but not a denial, which is the last one.
  package let decisions: [RecordedDecision]
  /// The number of decisions.
  package let decisionCount: Int
  /// The documents that the rules have read, or `nil` if the request is too large to be kept.
  let documents: RecordedDocuments?
  /// The error that the client has got, or `nil` if the request was allowed.
  package let denial: String?
  /// The approximate number of bytes that the request keeps in memory.
  let size: Int

  /// - Parameter contents: The documents that the request reads or writes.
  init(
    number: Int,
    time: Timestamp,
    database: DatabaseName,
    caller: RulesCaller,
    call: Call,
    file: RulesFile,
    decisions: [RecordedDecision],
    decisionCount: Int,
    documents: RecordedDocuments,
    contents: [Fields],
    denial: String?
  ) {
    let size = Self.size(of: call, by: caller, contents + documents.contents)
    let isKept = size != nil
    self.number = number
    self.time = time
    self.database = database
    self.caller = isKept ? caller : caller.withoutClaims
    self.call = isKept ? call : nil
    kind =
      switch call {
      case .commit: "commit"
      case .get: "get"
      case .list: "list"
      case .listen: "listen"
      }
    self.file = file
    self.decisions =
      isKept
      ? decisions
      : decisions.map { decision in
        var decision = decision
        decision.request = nil
        return decision
      }
    self.decisionCount = decisionCount
    self.documents = isKept ? documents : nil
    self.denial = denial
    self.size = 1_024 + (size ?? 0) + decisions.reduce(0) { $0 + $1.path.utf8.count + 256 }
  }
}

extension RecordedRequest {
  /// Returns the explanation of a decision, which is made again on the same documents, or `nil` if
  /// the request is too large to be kept.
  package func explanation(of decision: RecordedDecision) -> DecisionExplanation? {
    guard let request = decision.request, let documents, let ruleset = file.ruleset else {
      return nil
    }
    return DecisionExplanation(
      of: request,
      under: ruleset,
      documents: documents,
      budget: decision.budget
    )
  }
}

/// A decision of rules, with what it depends on.
package struct RecordedDecision: Sendable {
  /// The request that the rules have decided on, or `nil` if it is too large to be kept.
  var request: RulesRequest?
  let budget: RequestBudget
  package let method: String
  /// The path below `documents`. `*` is any document ID or collection, `**` any path.
  package let path: String
  /// A Boolean value that indicates whether the rules must prove that all documents which a query
  /// can find may be read.
  package let isProof: Bool
  package let decision: Decision
  /// The place of the statement that has allowed the request, if one has.
  package let statement: SourceRange?

  init(
    on request: RulesRequest,
    budget: RequestBudget,
    _ decision: Decision,
    by statement: SourceRange?
  ) {
    self.request = request
    self.budget = budget
    self.decision = decision
    self.statement = statement
    method = request.method.rawValue
    path = request.path.dropFirst(3).map { segment in
      switch segment {
      case .named(let name): name
      case .anyOne: "*"
      case .anyNumber: "**"
      }
    }.joined(separator: "/")
    isProof = request.path.contains { $0 == .anyOne || $0 == .anyNumber }
  }
}

/// The documents that rules have read for a request, by the segments of their complete paths.
struct RecordedDocuments: DocumentReader {
  fileprivate var before: [[String]: Fields?] = [:]
  fileprivate var after: [[String]: Fields?] = [:]

  func document(at path: [String]) -> Fields? { before[path] ?? nil }

  func documentAfterwards(at path: [String]) -> Fields? { after[path] ?? nil }

  /// The contents of the documents.
  var contents: [Fields] { (Array(before.values) + after.values).compactMap(\.self) }
}

/// A reader that records the documents that it reads.
final class RecordingReader: DocumentReader {
  private let reader: any DocumentReader
  private(set) var documents = RecordedDocuments()

  init(_ reader: any DocumentReader) { self.reader = reader }

  func document(at path: [String]) -> Fields? {
    let fields = reader.document(at: path)
    documents.before[path] = .some(fields)
    return fields
  }

  func documentAfterwards(at path: [String]) -> Fields? {
    let fields = reader.documentAfterwards(at: path)
    documents.after[path] = .some(fields)
    return fields
  }
}
