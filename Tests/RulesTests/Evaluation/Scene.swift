import Core
import FirestoreModel
import Rules

/// Documents and a user, `alice`, whose requests rules decide on.
struct Scene: DocumentReader {
  static let name = "projects/demo/databases/(default)/documents"

  /// The documents by their paths, such as `items/i1`.
  var documents: [String: Fields] = [:]
  /// The documents after a commit, where they differ.
  var changed: [String: Fields] = [:]

  func document(at path: [String]) -> Fields? { documents[Self.relative(path)] }

  func documentAfterwards(at path: [String]) -> Fields? {
    changed[Self.relative(path)] ?? document(at: path)
  }

  private static func relative(_ path: [String]) -> String {
    path.dropFirst(3).joined(separator: "/")
  }

  private static let requests = FirestoreRequests(
    database: DatabaseName(project: "demo"),
    caller: RulesCaller(uid: "alice", claims: ["email": .string("alice@example.com")]),
    time: Timestamp(seconds: 1_700_000_000)
  )

  /// Returns a ruleset with declarations inside the block for a database's documents.
  static func ruleset(_ body: String, version: Int = 2) throws(CompilationError) -> Ruleset {
    try Ruleset(
      compiling: """
        rules_version = '\(version)';
        service cloud.firestore {
        match /databases/{database}/documents {
        \(body)
        }
        }
        """
    )
  }

  /// Decides on a read of a document.
  func get(
    _ path: String,
    under ruleset: Ruleset,
    budget: RequestBudget = .ofDocument(),
    trace: EvaluationTrace? = nil
  ) throws -> Decision {
    var budget = budget
    let request = Self.requests.get(try ResourcePath(path), documents[path])
    return ruleset.decide(request, documents: self, budget: &budget, trace: trace)
  }

  /// Explains the decision on a read of a document.
  func explanation(of path: String, under ruleset: Ruleset) throws -> DecisionExplanation {
    DecisionExplanation(
      of: Self.requests.get(try ResourcePath(path), documents[path]),
      under: ruleset,
      documents: self,
      budget: .ofDocument()
    )
  }

  /// Decides on a read of `items/i1` under a condition, with functions in the block for items.
  func decide(_ condition: String, functions: String = "") throws -> Decision {
    try get(
      "items/i1",
      under: Self.ruleset("match /items/{id} { \(functions) allow get: if \(condition); }")
    )
  }

  /// The first reason for a denial without the statement's place, or `nil` if it is allowed.
  func refusal(_ condition: String, functions: String = "") throws -> String? {
    switch try decide(condition, functions: functions) {
    case .allowed: nil
    case .denied(let reasons): reasons.first?.components(separatedBy: " for 'get' @ L").first
    }
  }
}
