import Core
import FirestoreModel
import HTTPService
import Rules

/// The routes of Google's emulator that replace a project's security rules and report what they
/// cover: `/emulator/v1/projects/{p}:securityRules`, `:ruleCoverage` and `:ruleCoverage.html`.
extension FirestoreREST {
  func rules(of project: String) -> ServiceResponse {
    let file = service.rules.file(of: project) ?? .open
    return .json(JSONValue.object(["rules": file.json]).adding(issues: file))
  }

  /// Replaces a project's rules by those in the request's body.
  ///
  /// Rules that don't compile are refused, and the old ones stay, unless the client ignores errors.
  /// Then they become the project's rules, and no request of the project is answered until they are
  /// replaced.
  func setRules(
    _ request: ServiceRequest,
    of project: String
  ) throws(StatusError) -> ServiceResponse {
    _ = try DatabaseName("projects/\(project)/databases/(default)")
    let (file, ignoresErrors) = try RulesBody.parse(request.body)
    if case .failure(let error) = file.compiled, !ignoresErrors { throw error.status }
    try service.rules.replace(file, of: project)
    return .json(JSONValue.object([:]).adding(issues: file))
  }

  /// Gives a project the emulator's rules again.
  func deleteRules(of project: String) throws(StatusError) -> ServiceResponse {
    try service.rules.replace(nil, of: project)
    return .json(JSONValue.object([:]))
  }

  func coverage(of project: String) -> ServiceResponse {
    let (set, coverage) = service.rules.coverage(of: project)
    let file = set ?? .open
    var members: JSONObject = ["rules": file.json]
    if let report = coverage?.report, !report.isEmpty {
      members["report"] = .array(report)
    }
    return .json(JSONValue.object(members))
  }
}

extension FirestoreREST {
  func coveragePage(of project: String) -> ServiceResponse {
    let (file, coverage) = service.rules.coverage(of: project)
    let page = CoveragePage(file: file ?? .open, counts: coverage?.counts ?? [])
    return ServiceResponse(
      headers: [("content-type", "text/html; charset=utf-8")],
      body: Data(page.html.utf8)
    )
  }
}

/// The body of a request that replaces rules.
private enum RulesBody {
  private static let mostNameBytes = 1_000

  /// Returns the file of rules in a body, and whether the client ignores its errors.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the body has another form, or several files.
  static func parse(_ body: Data) throws(StatusError) -> (RulesFile, ignoresErrors: Bool) {
    let json: JSONValue
    do throws(StatusError) {
      json = try JSONValue(parsing: body)
    } catch {
      throw invalid("the body: \(error.message)")
    }
    guard let root = json.object else {
      throw invalid(
        #"the body must be a JSON object such as {"rules":{"files":[{"content":"…"}]}}"#
      )
    }
    try check(root, for: ["rules", "ignore_errors", "ignoreErrors"], in: "the body")
    guard let rules = root["rules"]?.object else { throw invalid("rules must be an object") }
    try check(rules, for: ["files"], in: "rules")
    guard let files = rules["files"]?.array else { throw invalid("rules.files must be an array") }
    guard files.count == 1 else {
      throw invalid("rules.files has \(files.count) files: send all rules in one file")
    }
    guard let file = files[0].object else { throw invalid("rules.files[0] must be an object") }
    try check(file, for: ["name", "content"], in: "rules.files[0]")
    let ignoresErrors = try boolean(root["ignore_errors"] ?? root["ignoreErrors"])
    let (name, content) = (try text(file, "name"), try text(file, "content"))
    guard name.utf8.count <= mostNameBytes else {
      throw invalid(
        "the name of rules.files[0] has \(name.utf8.count) bytes, more than \(mostNameBytes)"
      )
    }
    guard content.utf8.count <= Ruleset.mostBytes else {
      throw StatusError(
        .invalidArgument,
        "The rules have \(content.utf8.count) bytes. The limit is \(Ruleset.mostBytes)."
      )
    }
    return (RulesFile(name: name, content: content), ignoresErrors)
  }

  private static func check(
    _ object: JSONObject,
    for names: [String],
    in place: String
  ) throws(StatusError) {
    guard let name = object.unknownName(besides: names) else { return }
    throw invalid("\(place) has an unknown field \(quoted(name))")
  }

  private static func text(_ file: JSONObject, _ name: String) throws(StatusError) -> String {
    switch file[ByteKey(name)] {
    case nil, .null: return ""
    case .string(let text): return text
    default: throw invalid("rules.files[0].\(name) must be a string")
    }
  }

  /// Protobuf's JSON also has Boolean values as texts.
  private static func boolean(_ value: JSONValue?) throws(StatusError) -> Bool {
    switch value {
    case nil, .null, .boolean(false), .string("false"): return false
    case .boolean(true), .string("true"): return true
    default: throw invalid("ignore_errors must be true or false")
    }
  }

  private static func invalid(_ reason: String) -> StatusError {
    StatusError(.invalidArgument, "Payload isn't valid for request: \(reason)")
  }
}

// MARK: JSON

extension JSONValue {
  /// Returns the object with the file's issues, if it has any.
  fileprivate func adding(issues file: RulesFile) -> JSONValue {
    guard case .object(var members) = self, !file.issues.isEmpty else { return self }
    members["issues"] = .array(file.issues.map { $0.json(in: file.name) })
    return .object(members)
  }
}

extension RulesFile {
  fileprivate var json: JSONValue {
    var file: JSONObject = [:]
    if !content.isEmpty { file["content"] = .string(content) }
    if !name.isEmpty { file["name"] = .string(name) }
    return .object(["files": .array([.object(file)])])
  }
}

extension Issue {
  /// Returns the issue in the form of Google's emulator.
  fileprivate func json(in file: String) -> JSONValue {
    var position = range?.json.object ?? [:]
    if !file.isEmpty { position["fileName"] = .string(file) }
    return .object([
      "sourcePosition": .object(position),
      "description": .string(description),
      "severity": .string(severity.rawValue),
    ])
  }
}
