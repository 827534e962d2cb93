import Authentication
import FunctionRuntime
import Services

extension EmulatedService {
  /// The emulated Firebase Authentication.
  static let authentication = EmulatedService(
    name: .auth,
    title: "Authentication",
    defaultPort: 9099,
    waitsUntilPrepared: true,
    portOption: \.services.authPort,
    hostVariable: "FIREBASE_AUTH_EMULATOR_HOST",
    make: { components in
      let sources = components.sources
      return Protocols(
        http: components.observed(
          AuthenticationService(
            project: components.configuration.project,
            store: components.accounts,
            now: sources.now,
            random: sources.random
          )
        )
      )
    }
  )
}
