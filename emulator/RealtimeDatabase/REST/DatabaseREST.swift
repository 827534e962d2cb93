package import Authentication
package import Core
package import HTTPService
import Rules

/// The Realtime Database over HTTP: `/PATH.json?ns=NAME`.
///
/// | request | effect |
/// |---|---|
/// | `GET` | reads; with `Accept: text/event-stream` it also listens |
/// | `PUT`, `PATCH`, `POST`, `DELETE` | replaces, merges, adds a child with a new key, deletes |
/// | `GET`, `PUT /.settings/rules.json` | reads or replaces the rules of one database |
/// | `GET /.inspect/databases.json` | lists the databases |
/// | `DELETE /emulator/v1/databases` | deletes the data of all databases, and triggers nothing |
package struct DatabaseREST: HTTPService {
  package let name = "database"
  let project: String
  let store: DatabaseStore
  let callers: CallerReading
  let function: String?

  /// Creates the service.
  ///
  /// - Parameter function: The name of the function if the service is on that function's own port,
  ///   or `nil` if it is on the shared port.
  package init(
    project: String,
    store: DatabaseStore,
    accounts: AccountStore,
    function: String? = nil
  ) {
    self.project = project
    self.store = store
    self.function = function
    callers = CallerReading(project: project, accounts: accounts)
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    do throws(DatabaseError) {
      return try await answer(request)
    } catch {
      return Self.response(to: error)
    }
  }

  private func answer(_ request: ServiceRequest) async throws(DatabaseError) -> ServiceResponse {
    if let response = try DatabaseError.wrapping({ () throws(StatusError) in
      try answerWithoutData(request)
    }) {
      return response
    }
    if request.path == ["emulator", "v1", "databases"] { return try await clear(request) }
    return try await answer(
      DatabaseError.wrapping { () throws(StatusError) in try DataRequest(request, callers) }
    )
  }

  /// Returns the response to a request that isn't for data, or `nil` if it is for data.
  private func answerWithoutData(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse?
  {
    switch request.path {
    case []: return .text("The Realtime Database emulator is ready.\n")
    case [".ws"]:
      throw StatusError(
        .invalidArgument,
        "this address is for WebSocket connections of version 5 of the protocol: /.ws?v=5&ns=NAME"
      )
    case [".lp"]: return try LongPolling.response(to: request)
    case [".settings", "rules.json"]: return try settings(request)
    case [".inspect", "databases.json"]:
      try requireAdministrator(request)
      return .json(
        JSONValue.array(store.databases.map { .object(["name": .string($0.string)]) })
      )
    case let path where path.first == ".settings" || path.first == ".inspect":
      throw StatusError(
        .unimplemented,
        "/\(path.joined(separator: "/")) is not supported by this emulator"
      )
    default: return nil
    }
  }

  private func answer(_ request: DataRequest) async throws(DatabaseError) -> ServiceResponse {
    switch request.method {
    case "GET" where request.wantsEvents: return try events(request)
    case "GET": return try get(request)
    case "PUT", "PATCH", "POST", "DELETE": return try await write(request)
    default:
      throw .status(
        StatusError(.invalidArgument, "the method must be GET, PUT, PATCH, POST or DELETE")
      )
    }
  }

  /// Returns an error in production's form, `{"error":"text"}`.
  static func response(to error: DatabaseError) -> ServiceResponse {
    let (status, text): (Int, String) =
      switch error {
      case .permissionDenied: (401, "Permission denied")
      // Only conditional writes get it, and they answer it themselves.
      case .stale: (412, "the data has changed")
      case .status(let error) where error.code == .unauthenticated: (401, error.message)
      case .status(let error) where error.code == .permissionDenied: (401, error.message)
      case .status(let error): (error.code.httpStatus, error.message)
      }
    return .json(JSONValue.object(["error": .string(text)]), status: status)
  }

  /// Deletes the data of all databases.
  private func clear(_ request: ServiceRequest) async throws(DatabaseError) -> ServiceResponse {
    let write = try DatabaseError.wrapping { () throws(StatusError) in
      try requireAdministrator(request)
      guard request.method == "DELETE" else { throw notFound(request) }
      return try TreeWrite(setting: "", to: .null)
    }
    let names = store.databases
    for name in names {
      _ = try await store.write(
        write,
        in: name,
        as: .administrator,
        cause: .init(firesTriggers: false)
      )
    }
    return .json(JSONValue.object(["cleared": .array(names.map { .string($0.string) })]))
  }

  // MARK: Rules

  private func requireAdministrator(_ request: ServiceRequest) throws(StatusError) {
    guard case .administrator = try DataRequest.caller(of: request, callers) else {
      throw StatusError(
        .permissionDenied,
        "only administrators may do this: send the header Authorization: Bearer owner"
      )
    }
  }

  private func settings(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    try requireAdministrator(request)
    let database = try DatabaseName.name(of: request, project: project)
    switch request.method {
    case "GET":
      let source = store.rules(of: database)?.source
      return .json(Data((source ?? #"{"rules":{".read":true,".write":true}}"#).utf8))
    case "PUT":
      guard let source = String(validating: request.body, as: UTF8.self) else {
        throw StatusError(.invalidArgument, "the rules are not UTF-8")
      }
      let rules: DatabaseRules
      do throws(CompilationError) {
        rules = try DatabaseRules(compiling: source)
      } catch {
        let first = error.issues.inTextOrder.first
        throw StatusError(
          .invalidArgument,
          "Line \(first?.range?.line ?? 1): \(first?.description ?? "the rules are not valid")"
        )
      }
      try store.setRules(rules, of: database)
      return .json(JSONValue.object(["status": .string("ok")]))
    default: throw StatusError(.invalidArgument, "the method must be GET or PUT")
    }
  }
}
