import Recording
import Services

extension EmulatedService {
  /// The hub, where tools find the addresses of the other services.
  static let hub = EmulatedService(
    name: .hub,
    title: "Hub",
    defaultPort: 4400,
    fallsBackToFreePort: true,
    portOption: \.services.hubPort,
    hostVariable: "FIREBASE_EMULATOR_HUB",
    make: { components in
      let startup = components.startup
      return Protocols(
        http: HubService(
          project: components.configuration.project,
          dispatcher: components.dispatcher,
          transfer: components.transfer,
          addresses: { startup.addresses },
          recordings: RecordingService(components.recorder)
        )
      )
    }
  )
}
