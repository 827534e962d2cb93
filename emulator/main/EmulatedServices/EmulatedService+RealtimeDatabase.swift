import FunctionRuntime
import RealtimeDatabase
import Services

extension EmulatedService {
  /// The emulated Realtime Database, over WebSocket and REST.
  static let realtimeDatabase = EmulatedService(
    name: .database,
    title: "Database",
    defaultPort: 9000,
    fallsBackToFreePort: true,
    waitsUntilPrepared: true,
    portOption: \.services.databasePort,
    hostVariable: "FIREBASE_DATABASE_EMULATOR_HOST",
    make: { $0.databaseProtocols() }
  )
}

extension EmulatorComponents {
  /// Makes the servers of one port: the Realtime Database over REST and WebSocket.
  ///
  /// - Parameter function: The function that the port belongs to, or `nil` for the port of all
  ///   clients.
  func databaseProtocols(of function: String? = nil) -> EmulatedService.Protocols {
    let project = configuration.project
    return EmulatedService.Protocols(
      http: observed(
        DatabaseREST(project: project, store: databases, accounts: accounts, function: function)
      ),
      webSockets: DatabaseSocketServer(
        project: project,
        store: databases,
        accounts: accounts,
        function: function
      )
    )
  }
}
