import HTTPServer
import HTTPService
import Services

/// A service of the suite: its name, its port, the variables that lead clients to it, and its making.
///
/// A new one is an extension in a file of its own, an entry in `all`, and an option for its port.
struct EmulatedService: Sendable {
  /// All services, in the order in which they start. They stop in reverse, so that functions still at
  /// work find Firestore.
  static let all: [EmulatedService] = [.firestore, .functions, .ui, .hub]

  static subscript(name: ServiceName) -> EmulatedService? { all.first { $0.name == name } }

  let name: ServiceName
  /// The name that people read.
  let title: String
  /// The beginning of its URL, as people read it.
  var scheme = "http://"
  let defaultPort: Int
  /// A Boolean value that indicates whether any free port will do if the default one is taken.
  var fallsBackToFreePort = false
  /// A Boolean value that indicates whether clients are served only when the functions are known and
  /// data is imported. Nothing would come of what they write before, and they would read half.
  var waitsUntilPrepared = false
  /// The option that names another port.
  let portOption: @Sendable (EmulatorOptions) -> Int?
  /// The variable that leads clients to the service, as `host:port`.
  let hostVariable: String
  /// A Boolean value that indicates whether clients without the variable would ask a real service.
  var hasRealService = false
  /// Returns the other variables that functions, and the command of `exec`, need to find it.
  var otherVariables: @Sendable (Addresses.Address) -> [String: String] = { _ in [:] }
  /// Makes what its port serves.
  let make: @Sendable (EmulatorComponents) -> Protocols

  /// Returns the variables that lead clients to an address.
  ///
  /// - Parameter address: nil if the service isn't started.
  func variables(at address: Addresses.Address?) -> [String: String] {
    var variables = otherVariables((address ?? .nowhere).reachable)
    if address != nil || hasRealService {
      variables[hostVariable] = "\((address ?? .nowhere).reachable)"
    }
    return variables
  }

  /// The servers behind one port.
  struct Protocols: Sendable {
    var http: any HTTPService
    var http2: (any HTTP2Server)?
  }
}

extension Addresses.Address {
  /// The address of a service that isn't started. Port 1 is reserved (RFC 1078), and nobody listens
  /// there.
  fileprivate static let nowhere = Addresses.Address(host: "127.0.0.1", port: 1)
}
