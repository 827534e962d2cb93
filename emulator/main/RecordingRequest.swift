import HTTPService
import HTTPTransport
import Platform
import RPCStatus
import Recording

/// What `record` asks the running emulator's hub for.
struct RecordingRequest: Sendable {
  private let hub: String
  private let transport: HTTPTransport

  /// - Throws: `NOT_FOUND` if no emulator of the project has a hub.
  init(project: String) async throws(StatusError) {
    let environment = ProcessInfo.processInfo.environment
    hub = try await HubLocator.origin(of: project, environment)
    transport = HTTPTransport(
      userAgent: "emulator",
      configuration: TransportConfiguration(environment: environment)
    )
  }

  /// Begins.
  ///
  /// - Returns: the recording's id.
  func open() async throws(StatusError) -> String {
    guard let id = try await send("POST", "")["id"]?.string else {
      throw StatusError(.internal, "the hub began no recording")
    }
    return id
  }

  /// What has ended since the last time.
  func fetch(_ id: String) async throws(StatusError) -> [JSONValue] {
    try await send("GET", "/\(id)")["recordings"]?.array ?? []
  }

  func close(_ id: String) async throws(StatusError) { _ = try await send("DELETE", "/\(id)") }

  /// Returns when every function that was woken has ended.
  func quiet() async throws(StatusError) {
    let services = try await get("\(hub)/emulators")
    guard let host = services["ui"]?["host"]?.string,
      case .integer(let port)? = services["ui"]?["port"]
    else { throw StatusError(.notFound, "the running emulator has no UI port to wait at") }
    _ = try await get("http://\(host):\(port)/api/quiet")
  }

  private func send(_ method: String, _ path: String) async throws(StatusError) -> JSONValue {
    try await answer(to: HTTPRequest(method: method, url: "\(hub)/_admin/recordings\(path)"))
  }

  private func get(_ url: String) async throws(StatusError) -> JSONValue {
    try await answer(to: HTTPRequest(method: "GET", url: url))
  }

  private func answer(to request: HTTPRequest) async throws(StatusError) -> JSONValue {
    var request = request
    request.maximumResponseBytes = 256 << 20
    let response = try await transport.send(request, deadline: .now + .seconds(600))
    let answer = try JSONValue(parsing: response.body)
    guard response.status == 200 else {
      throw StatusError(
        StatusCode(httpStatus: response.status),
        answer["error"]?["message"]?.string ?? "the hub answered \(response.status)"
      )
    }
    return answer
  }
}
