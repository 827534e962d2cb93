import Core
import FirestoreModel
import Rules

/// Rules with one condition, and the requests to ask them.
struct QueryProbe {
  typealias Filter = StructuredQuery.Filter

  /// Documents by their paths below `documents`.
  struct Documents: DocumentReader {
    var fields: [String: Fields] = [:]

    func document(at path: [String]) -> Fields? {
      fields[path.dropFirst(3).joined(separator: "/")]
    }

    func documentAfterwards(at path: [String]) -> Fields? { document(at: path) }
  }

  static let requests = FirestoreRequests(
    database: DatabaseName(project: "demo"),
    caller: RulesCaller(uid: "alice", claims: ["sub": .string("alice"), "level": .integer(3)]),
    time: Timestamp(seconds: 1_700_000_000)
  )

  let ruleset: Ruleset
  var documents = Documents()

  /// - Parameter match: A pattern such as `/items/{id}`.
  init(_ condition: String, match: String = "/items/{id}") throws {
    ruleset = try Ruleset(
      compiling: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{db}/documents {
            match \(match) { allow read, write: if \(condition); }
          }
        }
        """
    )
  }

  func allows(_ request: RulesRequest, _ budget: RequestBudget = .ofQuery()) -> Bool {
    var budget = budget
    return ruleset.decide(request, documents: documents, budget: &budget) == .allowed
  }

  /// Returns whether the rules allow a query.
  func allows(_ query: StructuredQuery, in parent: String = "") throws -> Bool {
    let requests = try Self.requests.list(query, in: ResourcePath(parent), documents: documents)
    return requests.allSatisfy { allows($0) }
  }

  /// Returns whether the rules allow a query of the collection `items`.
  func allows(where filter: Filter?) throws -> Bool {
    try allows(StructuredQuery(from: "items", where: filter))
  }

  /// Returns whether the rules allow to get a document of the collection `items`.
  func allowsGet(of fields: Fields?) throws -> Bool {
    allows(Self.requests.get(try ResourcePath("items/i1"), fields), .ofDocument())
  }
}

extension StructuredQuery.Filter {
  static func n(_ op: StructuredQuery.FieldOperator, _ value: Value) -> Self {
    .field(FieldPath("n"), op, value)
  }

  static func m(_ op: StructuredQuery.FieldOperator, _ value: Value) -> Self {
    .field(FieldPath("m"), op, value)
  }

  static func name(_ op: StructuredQuery.FieldOperator, _ path: String) -> Self {
    .field(.documentName, op, .document(path))
  }

  static func all(_ filters: Self...) -> Self { .composite(.and, filters) }
  static func any(_ filters: Self...) -> Self { .composite(.or, filters) }
}

extension Value {
  static func document(_ path: String) -> Value {
    .reference("projects/demo/databases/(default)/documents/\(path)")
  }
}
