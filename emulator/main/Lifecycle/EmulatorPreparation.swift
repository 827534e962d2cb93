import Core
import Delivery
import FunctionHost
import Logging
import Persistence
import Services

/// The part of the start that finds the functions, imports data, prints the addresses and writes a
/// seed file's data, once the services listen.
struct EmulatorPreparation: Sendable {
  let components: EmulatorComponents
  let folder: RunFolder
  let functionPorts: FunctionPorts
  let console: Console
  /// A Boolean value that indicates whether the terminal shows lines about deliveries.
  let showsDeliveries: Bool

  private var configuration: EmulatorConfiguration { components.configuration }

  /// Prepares the emulator and returns it.
  func run(_ addresses: Addresses) async throws -> RunningEmulator {
    var environment = functionEnvironment(addresses)
    if let run = components.dataFolder?.previousRun {
      try await PreviousRun(id: run).end(in: components.store)
    }
    var functions: FunctionInstallation?
    if let address = addresses[.functions] {
      let installation = FunctionInstallation(
        self,
        environment,
        functions: address,
        services: addresses
      )
      try await installation.run()
      environment = installation.environment
      functions = installation
    } else if configuration.inspectedFunction != nil {
      throw StatusError(.invalidArgument, "--inspect: no functions are started")
    }
    warnOfMissingFunctions()
    let imported = try await importData()
    let locator = try await announceHub(addresses)
    var emulator = RunningEmulator(
      configuration: configuration,
      addresses: addresses,
      environment: environment.commandVariables,
      store: components.store,
      accounts: components.accounts,
      dispatcher: components.dispatcher,
      fakes: components.fakes,
      locator: locator,
      functions: functions
    )
    console.announce(emulator)
    if let imported {
      let services = imported.services.map { ", \($0)" }.joined()
      console.print(
        "  imported \(imported.documents) documents\(services)"
          + "\(TransferWords.left(imported.ignored))\n"
      )
    }
    do {
      if let seedFile = configuration.seedFile {
        if showsDeliveries {
          emulator.seedOutput = DeliveryOutput(dispatcher: components.dispatcher, console: console)
        }
        try await seedFile.write(
          accounts: components.accounts,
          documents: components.store,
          console
        )
      }
      try configuration.readyFile?.write(addresses)
    } catch {
      locator?.remove()
      throw error
    }
    releaseStartupMemory()
    return emulator
  }

  private func functionEnvironment(_ addresses: Addresses) -> FunctionEnvironment {
    var addresses = addresses
    addresses[.firestore] = configuration.firestoreEmulator ?? addresses[.firestore]
    return FunctionEnvironment(
      shell: components.shell,
      project: configuration.project,
      addresses: addresses,
      credentials: folder.credentials,
      run: components.dataFolder?.run,
      functionFolders: configuration.functionFolders,
      models: configuration.modelVariables,
      keys: configuration.keyVariables
    )
  }

  private func warnOfMissingFunctions() {
    let missing = components.dispatcher.missingFunctions.sorted { $0.key < $1.key }
    guard !missing.isEmpty else { return }
    components.logger.warning(
      "deliveries wait for functions that were not found",
      metadata: [
        "functions": "\(missing.map { "\($0.key) (\($0.value))" }.joined(separator: ", "))"
      ]
    )
  }

  private func importData() async throws(StatusError) -> TransferSummary? {
    guard let data = configuration.dataImport else { return nil }
    return try await components.transfer.importData(
      from: data.path,
      into: configuration.project,
      firesTriggers: data.firesTriggers
    )
  }

  /// Writes the locator file, through which commands find the hub.
  private func announceHub(_ addresses: Addresses) async throws(StatusError) -> HubLocator? {
    guard let hub = addresses[.hub] else { return nil }
    let locator = HubLocator(
      project: configuration.project,
      temporaryDirectory: components.shell.temporaryDirectory
    )
    if try await !locator.write(hub: hub.reachable) {
      components.logger.warning(
        """
        another emulator of this project is running: `emulator` commands use that one, except those \
        that exec runs; for this one, set FIREBASE_EMULATOR_HUB=\(hub.reachable)
        """
      )
    }
    return locator
  }
}
