import HTTPServer
import HTTPService
import Services

/// A service of the emulator: its name, its port, the environment variables that lead clients to
/// it, and its server.
///
/// To add a service, define it in an extension in a new file, list it in `all`, and add an option
/// for its port.
struct EmulatedService: Sendable {
  /// All services, in the order in which they start. They stop in reverse, so that running
  /// functions still reach Firestore.
  static let all: [EmulatedService] = [
    .firestore, .authentication, .realtimeDatabase, .storage, .functions, .ui, .hub,
  ]

  static subscript(name: ServiceName) -> EmulatedService? { all.first { $0.name == name } }

  let name: ServiceName
  /// The name that the console shows.
  let title: String
  /// The prefix of the URL that the console shows.
  var scheme = "http://"
  let defaultPort: Int
  /// A Boolean value that indicates whether any free port is used if the default one is taken.
  var fallsBackToFreePort = false
  /// A Boolean value that indicates whether clients are served only after the functions are known
  /// and data is imported.
  ///
  /// Before that, writes would trigger no function, and reads would miss data.
  var waitsUntilPrepared = false
  /// Returns the port in the service's option, or `nil` if the option isn't given.
  let portOption: @Sendable (EmulatorOptions) -> Int?
  /// The name of the environment variable that leads clients to the service; its value is
  /// `host:port`.
  let hostVariable: String
  /// A Boolean value that indicates whether clients use a real service if the variable isn't set.
  var hasRealService = false
  /// Returns the other variables through which functions and the command of `exec` find the
  /// service.
  var otherVariables: @Sendable (Addresses.Address) -> [String: String] = { _ in [:] }
  /// Makes the servers that share the service's port.
  let make: @Sendable (EmulatorComponents) -> Protocols

  /// Returns the variables that lead clients to an address.
  ///
  /// - Parameter address: The service's address, or `nil` if it isn't started.
  func variables(at address: Addresses.Address?) -> [String: String] {
    var variables = otherVariables((address ?? .nowhere).reachable)
    if address != nil || hasRealService {
      variables[hostVariable] = "\((address ?? .nowhere).reachable)"
    }
    return variables
  }

  /// The servers that share one port.
  struct Protocols: Sendable {
    var http: any HTTPService
    var http2: (any HTTP2Server)?
    var webSockets: (any WebSocketServer)?
  }
}

extension Addresses.Address {
  /// The address of a service that isn't started. Port 1 is reserved (RFC 1078), and no process
  /// listens on it.
  fileprivate static let nowhere = Addresses.Address(host: "127.0.0.1", port: 1)
}
