import Core
import FirestoreAPI
import FirestoreModel
import HTTPService
import Rules

/// The report of `GET /api/requests`.
///
/// `?decision=allowed` or `denied`, `?kind=`, `?uid=`, `?unauthenticated=true`, `?project=`, `?path=` a
/// part of a path, `?limit=` filter it.
/// `?version=` is the last report's version: if it is still the same, there is no list.
struct RequestsReport: Encodable {
  struct Entry: Encodable {
    var number: Int
    var time: String
    /// The user's ID, or `nil` without a token.
    var uid: String?
    var project: String
    var database: String
    /// `commit`, `get`, `list` or `listen`.
    var kind: String
    /// The rules' method of the denied decision, or of the first one.
    var method: String
    var path: String
    /// The conditions of a query, such as `where senderId == 'sarah' limit 50`.
    var query: String?
    /// The number of decisions, one for each document or alternative of a query's filter.
    var decisionCount: Int
    var isAllowed: Bool
    /// The line of the statement that has allowed the request.
    var line: Int?
    /// The beginning of the error that the client has got.
    var denial: String?

    init(_ request: RecordedRequest) {
      // A denial is the last decision.
      let main = request.denial == nil ? request.decisions.first : request.decisions.last
      number = request.number
      time = "\(request.time)"
      uid = request.caller.uid
      project = request.database.project
      database = request.database.database
      kind = request.kind.rawValue
      method = main?.method.rawValue ?? ""
      path = main?.path ?? ""
      query = request.query.flatMap { $0.isEmpty ? nil : $0 }
      decisionCount = request.decisionCount
      isAllowed = request.denial == nil
      line = main?.statement?.line
      // Google's text begins with a new line.
      denial = request.denial.map { String($0.drop { $0.isNewline }.prefix(300)) }
    }
  }

  var version: Int
  /// The requests, the newest first, or `nil` if nothing has changed.
  var requests: [Entry]?
}

/// The report of one request.
private struct RequestReport: Encodable {
  struct Decision: Encodable {
    var method: String
    var path: String
    var isAllowed: Bool
    var line: Int?
    /// The reasons for a denial.
    var reasons: [String]
    /// A Boolean value that indicates whether the rules must hold for all documents of a query.
    var isProof: Bool
    /// The evaluated expressions, or `nil` if the decision can't be repeated.
    var expressions: [Row]?
  }

  struct Row: Encodable {
    var line: Int
    var column: Int
    var depth: Int
    var text: String
    var values: [String]
  }

  var request: RequestsReport.Entry
  /// The claims of the user's token.
  var claims: JSONObject
  /// The name of the file with the rules.
  var file: String
  var decisions: [Decision]

  init(_ request: RecordedRequest) {
    self.request = RequestsReport.Entry(request)
    claims = request.caller.claims
    file = request.file.name
    decisions = request.decisions.map { decision in
      let reasons = if case .denied(let reasons) = decision.decision { reasons } else { [String]() }
      return Decision(
        method: decision.method.rawValue,
        path: decision.path,
        isAllowed: decision.decision == .allowed,
        line: decision.statement?.line,
        reasons: reasons,
        isProof: decision.isProof,
        expressions: request.explanation(of: decision)?.rows.map { row in
          Row(
            line: row.range.line,
            column: row.range.column,
            depth: row.depth,
            text: row.text.split(whereSeparator: \.isWhitespace).joined(separator: " "),
            values: row.values
          )
        }
      )
    }
  }
}

extension UIService {
  /// Returns the requests that match a request's query.
  func requests(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let log = rules.requests
    let version = log.version
    if request[query: "version"] == "\(version)" {
      return .json(RequestsReport(version: version))
    }
    var found = log.requests
    switch request[query: "decision"] {
    case nil: break
    case "allowed"?: found = found.filter { $0.denial == nil }
    case "denied"?: found = found.filter { $0.denial != nil }
    case let other?:
      throw StatusError(
        .invalidArgument,
        "there is no decision \(quoted(other)): use allowed or denied"
      )
    }
    if let kind = request[query: "kind"] {
      guard let kind = RecordedRequest.Kind(rawValue: kind) else {
        let names = RecordedRequest.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw StatusError(
          .invalidArgument,
          "there is no kind \(quoted(kind)): use one of \(names)"
        )
      }
      found = found.filter { $0.kind == kind }
    }
    if let uid = request[query: "uid"] {
      found = found.filter { ($0.caller.uid ?? "").hasSameBytes(as: uid) }
    }
    if let project = request[query: "project"] {
      found = found.filter { $0.database.project.hasSameBytes(as: project) }
    }
    if request[query: "unauthenticated"] == "true" {
      found = found.filter { $0.caller.uid == nil }
    }
    if let path = request[query: "path"] {
      found = found.filter { $0.decisions.contains { $0.path.hasBytes(of: path) } }
    }
    if let text = request[query: "limit"] {
      guard let limit = Int(text), limit >= 0 else {
        throw StatusError(.invalidArgument, "limit must be a whole number of at least 0")
      }
      found = Array(found.prefix(limit))
    }
    return .json(RequestsReport(version: version, requests: found.map(RequestsReport.Entry.init)))
  }

  func decidedRequest(_ number: String) throws(StatusError) -> ServiceResponse {
    .json(RequestReport(try recordedRequest(number)))
  }

  /// Decides on a request again, as the user of the `Authorization` header, or as nobody without one.
  func replay(_ number: String, _ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let context = try firestore.context(of: request)
    return .json(RequestReport(try firestore.replay(recordedRequest(number), context)))
  }

  private func recordedRequest(_ number: String) throws(StatusError) -> RecordedRequest {
    guard let found = Int(number).flatMap({ rules.requests[$0] }), "\(found.number)" == number
    else {
      throw StatusError(.notFound, "there is no request \(quoted(number)), or not any more")
    }
    return found
  }
}
