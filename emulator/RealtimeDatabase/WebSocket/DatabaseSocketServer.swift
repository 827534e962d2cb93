package import Authentication
import Core
package import HTTPServer
package import HTTPService

/// The WebSocket connections of Firebase's SDKs: `/.ws?v=5&ns=NAME`, version 5 of the protocol.
package struct DatabaseSocketServer: WebSocketServer {
  private static let version = "5"

  /// A value of 10 MiB in JSON, in which each byte may be escaped, and what is around it.
  package let maximumMessageBytes = 16 << 20

  private let store: DatabaseStore
  private let callers: CallerReading

  package init(project: String, store: DatabaseStore, accounts: AccountStore) {
    self.store = store
    callers = CallerReading(project: project, accounts: accounts)
  }

  package func accepts(_ request: ServiceRequest) -> Bool {
    request.path == [".ws"] && request[query: "v"] == Self.version
      && (try? DatabaseName.name(of: request, project: callers.project)) != nil
  }

  package func open(
    _ connection: WebSocketConnection,
    _ request: ServiceRequest
  ) -> any WebSocketHandler {
    let name = try? DatabaseName.name(of: request, project: callers.project)
    return DatabaseSocket(
      connection,
      store: store,
      database: name ?? DatabaseName.defaultName(of: callers.project),
      callers: callers,
      host: request.authority ?? "127.0.0.1",
      session: String(UInt64.random(in: .min ... .max), radix: 36)
    )
  }
}
