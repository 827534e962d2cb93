import ServiceLifecycle

/// The service that runs the body of `start` or `exec` once the emulator is prepared. A signal
/// cancels the body.
struct MainService: Service {
  let preparation: EmulatorPreparation
  let body: Emulator.Body

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      let startup = preparation.components.startup
      guard let addresses = await startup.allListen() else { return }
      let emulator = try await preparation.run(addresses)
      startup.prepared()
      defer {
        emulator.locator?.remove()
        emulator.configuration.readyFile?.remove(addresses)
      }
      try await withThrowingDiscardingTaskGroup { group in
        if let functions = emulator.functions {
          group.addTask { await FunctionsWatch(functions).run() }
        }
        try await body(emulator)
        group.cancelAll()
      }
    }
  }
}
