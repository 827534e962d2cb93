import ServiceLifecycle

/// Runs what `start` or `exec` is for, once the emulator is prepared; a signal ends it.
struct MainService: Service {
  let preparation: EmulatorPreparation
  let body: Emulator.Body

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      let startup = preparation.components.startup
      guard let addresses = await startup.allListen() else { return }
      let emulator = try await preparation.run(addresses)
      startup.prepared()
      defer { emulator.locator?.remove() }
      try await body(emulator)
    }
  }
}
