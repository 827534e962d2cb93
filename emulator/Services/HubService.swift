package import Core
package import Delivery
package import HTTPService
package import Persistence

/// The hub of Firebase's emulator suite, where tools find the services' addresses.
package struct HubService: HTTPService {
  package let name = "hub"
  let project: String
  private let dispatcher: Dispatcher
  let transfer: DataTransfer
  private let addresses: @Sendable () -> Addresses
  /// The service below `/_admin/recordings`, or `nil` if nothing can be recorded.
  let recordings: (any HTTPService)?

  package init(
    project: String,
    dispatcher: Dispatcher,
    transfer: DataTransfer,
    addresses: @escaping @Sendable () -> Addresses,
    recordings: (any HTTPService)? = nil
  ) {
    self.project = project
    self.dispatcher = dispatcher
    self.transfer = transfer
    self.addresses = addresses
    self.recordings = recordings
  }

  /// The response to `GET /`, and the content of the locator file.
  package struct Locator: Codable, Sendable {
    package var version: String
    package var origins: [String]
    package var pid: Int32

    package init(hub: Addresses.Address, pid: Int32) {
      version = "1.0.0"
      origins = ["http://\(hub)"]
      self.pid = pid
    }

    /// Returns the path of the locator file, `$TMPDIR/hub-{project}.json`, where Firebase's own
    /// tools look for it.
    package static func path(project: String, temporaryDirectory: String) -> String {
      "\(temporaryDirectory.hasSuffix("/") ? String(temporaryDirectory.dropLast()) : temporaryDirectory)/hub-\(project).json"
    }
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case ("GET", []):
      guard let hub = addresses()[.hub] else { throw notFound(request) }
      return .json(Locator(hub: hub, pid: getpid()))
    case ("GET", ["emulators"]): return .json(addresses().emulators)
    case ("PUT", ["functions", "disableBackgroundTriggers"]): return triggers(enabled: false)
    case ("PUT", ["functions", "enableBackgroundTriggers"]): return triggers(enabled: true)
    case ("POST", ["_admin", "export"]): return try await export(request)
    case ("POST", ["_admin", "import"]): return try await importData(request)
    case (_, let path) where path.prefix(2) == ["_admin", "recordings"]:
      return try await record(request)
    default: throw notFound(request)
    }
  }

  private func triggers(enabled: Bool) -> ServiceResponse {
    dispatcher.isEnabled = enabled
    return .json(["enabled": enabled])
  }
}
