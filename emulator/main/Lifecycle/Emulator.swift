import CloudStorage
import Core
import Logging
import RealtimeDatabase
import ServiceLifecycle
import Services
import Store
import UnixSignals

/// The services of one emulator, from start to shutdown.
struct Emulator {
  private let configuration: EmulatorConfiguration
  private let console: Console
  private let showsDeliveries: Bool

  /// - Parameter showsDeliveries: Whether the body prints the lines of a `DeliveryOutput`.
  init(_ configuration: EmulatorConfiguration, console: Console, showsDeliveries: Bool = false) {
    self.configuration = configuration
    self.console = console
    self.showsDeliveries = showsDeliveries
  }

  /// The closure that runs once all services accept connections.
  typealias Body = @Sendable (RunningEmulator) async throws -> Void

  /// Starts the services and runs the body. When the body returns or a signal arrives, stops the
  /// services.
  func run(_ body: @escaping Body) async throws {
    let shell = ProcessInfo.processInfo.environment
    let folder = try RunFolder(temporaryDirectory: shell.temporaryDirectory)
    defer { folder.remove() }
    let components = try EmulatorComponents(configuration, folder: folder, shell: shell)
    let functionPorts = FunctionPorts(components)
    let preparation = EmulatorPreparation(
      components: components,
      folder: folder,
      functionPorts: functionPorts,
      console: console,
      showsDeliveries: showsDeliveries
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
    // An emulator that stopped before it had loaded its data has nothing to export.
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

  /// Returns the services in the order in which they start.
  ///
  /// They stop in reverse order. So running functions can still reach Firestore and the providers,
  /// and no request waits for a function when a listener stops.
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
    services.append(DebugOutputService(output: components.debugOutput, console: console))
    if case .file(let path, let identity, _) = configuration.rules {
      services.append(
        RulesWatch(
          path: path,
          identity: identity,
          rules: components.rules,
          status: components.rulesStatus,
          console: console
        )
      )
    }
    if !configuration.databaseRules.files.isEmpty {
      services.append(
        RulesFilesWatch(
          source: configuration.databaseRules,
          status: components.databaseRulesStatus,
          console: console
        ) { components.databases.replace($0.configured) }
      )
    }
    if !configuration.storageRules.files.isEmpty {
      services.append(
        RulesFilesWatch(
          source: configuration.storageRules,
          status: components.storageRulesStatus,
          console: console
        ) { [console] source in
          components.storageRules.replace(source.configured)
          for report in source.reports { console.warn(report) }
        }
      )
    }
    return services
  }
}

extension EmulatedService {
  /// Returns the listener of the service's port, or `nil` if the configuration leaves the service
  /// out.
  fileprivate func listener(_ components: EmulatorComponents) -> (any Service)? {
    guard let endpoint = components.configuration.endpoints[name] else { return nil }
    let startup = components.startup
    return components.listener(make(components), at: endpoint) { port in
      startup.listens(name, .init(host: endpoint.host, port: port))
      // Clients of an earlier run may connect at once, so their requests wait for the functions and
      // the data.
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
