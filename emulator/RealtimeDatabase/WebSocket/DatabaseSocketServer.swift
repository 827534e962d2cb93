package import Authentication
import Core
package import HTTPServer
package import HTTPService

/// The WebSocket connections of Firebase's SDKs: `/.ws?v=5&ns=NAME`, version 5 of the protocol.
package struct DatabaseSocketServer: WebSocketServer {
  private static let version = "5"

  /// As in production.
  package let maximumMessageBytes = 16 << 20

  private let store: DatabaseStore
  private let callers: CallerReading
  private let function: String?

  /// Creates the server.
  ///
  /// - Parameter function: The name of the function if the server is on that function's own port, or
  ///   `nil` if it is on the shared port.
  package init(
    project: String,
    store: DatabaseStore,
    accounts: AccountStore,
    function: String? = nil
  ) {
    self.store = store
    self.function = function
    callers = CallerReading(project: project, accounts: accounts)
  }

  package func handler(for request: ServiceRequest) -> MakeHandler? {
    guard request.path == [".ws"], request[query: "v"] == Self.version,
      let name = try? DatabaseName.name(of: request, project: callers.project)
    else { return nil }
    return { [store, callers, function] connection in
      DatabaseSocket(
        connection,
        store: store,
        database: name,
        callers: callers,
        function: function,
        host: request.authority ?? "127.0.0.1",
        session: String(UInt64.random(in: .min ... .max), radix: 36)
      )
    }
  }
}
