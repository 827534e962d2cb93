import Core
import Logging
import ServiceLifecycle
import Services
import Store
import UnixSignals

/// All services of one emulator, from their making to their end.
struct Emulator {
  private let configuration: EmulatorConfiguration
  private let console: Console

  init(_ configuration: EmulatorConfiguration, console: Console) {
    self.configuration = configuration
    self.console = console
  }

  /// Runs once everything accepts.
  typealias Body = @Sendable (RunningEmulator) async throws -> Void

  /// Starts the services, runs the body, and ends all of it when the body returns or a signal
  /// comes.
  func run(_ body: @escaping Body) async throws {
    let shell = ProcessInfo.processInfo.environment
    let folder = try RunFolder(temporaryDirectory: shell.temporaryDirectory)
    defer { folder.remove() }
    let components = try EmulatorComponents(configuration, shell: shell)
    let functionPorts = FunctionPorts(components)
    let preparation = EmulatorPreparation(
      components: components,
      folder: folder,
      functionPorts: functionPorts,
      console: console
    )
    let main = MainService(preparation: preparation, body: body)
    let group = ServiceGroup(
      configuration: .init(
        services: services(components, functionPorts).map { .init(service: $0) } + [
          .init(service: main, successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigint, .sigterm, .sighup],
        logger: components.logger.atLeast(.error)
      )
    )
    let result: Result<Void, any Error>
    do {
      result = .success(try await group.run())
    } catch {
      result = .failure(error)
    }
    await components.close()
    // What never had its data has none to export.
    if components.startup.isPrepared {
      try await configuration.exportOnExit?.write(
        configuration.project,
        from: components.store,
        by: components.transfer,
        console
      )
    }
    try result.get()
  }

  /// The services in the order in which they start. Stopped in reverse: functions in flight still find
  /// Firestore and their providers, and no request waits for a function any more when its listener ends.
  private func services(
    _ components: EmulatorComponents,
    _ functionPorts: FunctionPorts
  ) -> [any Service] {
    var services: [any Service] = [functionPorts]
    services += EmulatedService.all.compactMap { $0.listener(components) }
    services.append(DispatcherService(dispatcher: components.dispatcher))
    if configuration.indexes?.expiryPolicies.isEmpty == false {
      services.append(
        ExpiryService(
          store: components.store,
          interval: configuration.ttlInterval,
          logger: components.logger
        )
      )
    }
    return services
  }
}

extension EmulatedService {
  /// The service's port; nil if it isn't to be started.
  fileprivate func listener(_ components: EmulatorComponents) -> (any Service)? {
    guard let endpoint = components.configuration.endpoints[name] else { return nil }
    let startup = components.startup
    return components.listener(make(components), at: endpoint) { port in
      startup.listens(name, .init(host: endpoint.host, port: port))
      // A client of an earlier run may be here at once.
      if waitsUntilPrepared { await startup.waitUntilPrepared() }
    }
  }
}

extension Logger {
  fileprivate func atLeast(_ level: Level) -> Logger {
    var logger = self
    logger.logLevel = max(logger.logLevel, level)
    return logger
  }
}
