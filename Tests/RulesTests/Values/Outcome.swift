import Core
import FirestoreModel
import Rules
import Testing

/// The decision of a condition on a read of the document `t/x`.
enum Outcome: Equatable, CustomStringConvertible {
  case allowed, denied
  case failed(String)

  /// - Parameters:
  ///   - condition: An expression of the rules language.
  ///   - fields: The document's fields, `resource.data`.
  ///   - functions: Functions that the condition calls.
  static func of(
    _ condition: String,
    _ fields: Fields = [:],
    functions: String = ""
  ) throws -> Outcome {
    let rules = try Ruleset(
      compiling: """
        rules_version = '2';
        service cloud.firestore {
          \(functions)
          match /databases/{database}/documents/t/{id} { allow get: if \(condition); }
        }
        """
    )
    let requests = FirestoreRequests(
      database: try DatabaseName("projects/demo/databases/(default)"),
      caller: .nobody,
      time: Timestamp(seconds: 1_700_000_000)
    )
    var budget = RequestBudget.ofDocument()
    let decision = rules.decide(
      requests.get(try ResourcePath("t/x"), fields),
      documents: NoDocuments(),
      budget: &budget
    )
    guard case .denied(let reasons) = decision else { return .allowed }
    let reason = try #require(reasons.first).components(separatedBy: " for 'get'")[0]
    return reason == "false" ? .denied : .failed(reason)
  }

  var description: String {
    switch self {
    case .allowed: "true"
    case .denied: "false"
    case .failed(let message): message
    }
  }

  private struct NoDocuments: DocumentReader {
    func document(at path: [String]) -> Fields? { nil }
    func documentAfterwards(at path: [String]) -> Fields? { nil }
  }
}
