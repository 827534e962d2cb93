import Core
import HTTPClient
import Services

/// The client with which commands send requests to a running emulator.
///
/// It finds the services through the hub. If the hub's variable isn't set, but the variable of a
/// service is, such as FIRESTORE_EMULATOR_HOST, it uses this service's address.
struct EmulatorClient: Sendable {
  private let environment = ProcessInfo.processInfo.environment
  private let transport: HTTPClient
  private let project: String

  /// Creates a client of a project's running emulator.
  init(project: String) {
    self.project = project
    transport = HTTPClient(environment: environment)
  }

  /// Sends a request to a service and returns the response's body.
  ///
  /// - Parameters:
  ///   - service: The hub's name for the service.
  ///   - target: The path and query, percent-encoded.
  /// - Throws: The error in the response if its status isn't 200; `NOT_FOUND` if no emulator of the
  ///   project or no such service is running.
  func send(
    _ method: String,
    _ service: String,
    _ target: String,
    _ members: JSONObject? = nil,
    within limit: Duration = .seconds(60)
  ) async throws(StatusError) -> JSONValue {
    let body: Data?
    do {
      body = try members.map { try JSON.encode(JSONValue.object($0)) }
    } catch {
      throw StatusError(.internal, "the request's body can't be encoded as JSON")
    }
    let response = try await transport.send(
      HTTPRequest(
        method: method,
        url: try await origin(of: service) + target,
        headers: [HTTPHeader("Authorization", "Bearer owner")]
          + (body == nil ? [] : [HTTPHeader("Content-Type", "application/json")]),
        body: body
      ),
      deadline: .now + limit
    )
    let answer = try? JSONValue(parsing: response.body)
    guard response.status == 200, let answer else {
      throw StatusError(
        StatusCode(httpStatus: response.status),
        answer?["error"]?["message"]?.string
          ?? "the emulator's \(service) service answered with status \(response.status)"
      )
    }
    return answer
  }

  /// Returns the base URL of a service.
  ///
  /// - Throws: `NOT_FOUND` if the service isn't running.
  func origin(of service: String) async throws(StatusError) -> String {
    if service == "hub" { return try await HubLocator.origin(of: project, environment) }
    let variable = EmulatedService[ServiceName(rawValue: service)]?.hostVariable
    if environment.hub == nil, let host = variable.flatMap({ environment[$0] }), !host.isEmpty {
      return "http://\(host)"
    }
    return "http://\(try await address(of: service))"
  }

  private func address(of service: String) async throws(StatusError) -> Addresses.Address {
    let all = try await send("GET", "hub", "/emulators")
    guard let found = all[service], let host = found["host"]?.string,
      case .integer(let port)? = found["port"]
    else {
      throw StatusError(
        .notFound,
        "the running emulator has no \(service) service: start the emulator without --only, or add "
          + "\(service) to --only"
      )
    }
    return Addresses.Address(host: host, port: Int(port)).reachable
  }
}
