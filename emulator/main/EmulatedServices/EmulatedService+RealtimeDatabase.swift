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
    make: { components in
      let project = components.configuration.project
      return Protocols(
        http: components.observed(
          DatabaseREST(project: project, store: components.databases, accounts: components.accounts)
        ),
        webSockets: DatabaseSocketServer(
          project: project,
          store: components.databases,
          accounts: components.accounts
        )
      )
    }
  )
}
