import CloudStorage
import Core
import Cryptography
import Delivery
import FunctionHost
import FunctionRuntime
import ProviderFakes
import Recording
import Services

/// The part of the start that finds the functions and gives them to the dispatcher, with their
/// environment variables and ports.
struct FunctionInstallation {
  let preparation: EmulatorPreparation
  /// The address of the functions service.
  let address: Addresses.Address

  private var components: EmulatorComponents { preparation.components }
  private var configuration: EmulatorConfiguration { components.configuration }

  /// Finds and installs the functions.
  ///
  /// - Parameters:
  ///   - environment: The functions' variables. On return, they don't contain the shell's values of
  ///     the secrets in any manifest.
  ///   - services: The addresses of the services that this emulator starts.
  func run(_ environment: inout FunctionEnvironment, services: Addresses) async throws {
    // A short key is enough, as only a fake on loopback accepts it. Generating a longer one would
    // take most of the startup time. The key is generated while the functions print their
    // manifests.
    async let account = RSAKey.generate(bits: 1_024)
    let found = try await FunctionCatalog.discover(
      in: configuration.functionFolders,
      environment: environment.undescribed,
      excluding: Executable.programs,
      logger: components.logger
    )
    try writeCredentials(try await account)
    environment.withhold(found.secrets)
    let ports = try await openPorts(for: found.functions.keys.sorted(), of: services)
    components.dispatcher.install(
      found.withEnvironment { [environment] manifest in
        var variables = environment.variables(of: manifest)
        for (service, addresses) in ports {
          guard let address = addresses[manifest.name] else { continue }
          variables.merge(service.variables(at: address)) { $1 }
        }
        return variables
      },
      targets: try configuration.targets(for: found, transport: components.transport),
      inspections: try inspections(of: found),
      observe: components.recorder.observe
    )
    if let address = configuration.firestoreEmulator {
      try await GoogleEmulator(address, transport: components.transport).register(
        found,
        project: configuration.project,
        functions: self.address.reachable
      )
    }
  }

  /// Opens the functions' own ports of the databases, and returns their addresses by service.
  private func openPorts(
    for functions: [String],
    of services: Addresses
  ) async throws -> [(EmulatedService, [String: Addresses.Address])] {
    let ports = preparation.functionPorts
    var opened: [(EmulatedService, [String: Addresses.Address])] = []
    // Google's emulator has one address for all clients.
    if configuration.firestoreEmulator == nil, services[.firestore] != nil {
      let addresses = try await ports.open(for: functions) { components.firestoreProtocols(of: $0) }
      opened.append((.firestore, addresses))
    }
    if services[.database] != nil {
      let addresses = try await ports.open(for: functions) { components.databaseProtocols(of: $0) }
      opened.append((.realtimeDatabase, addresses))
    }
    if services[.storage] != nil {
      let addresses = try await ports.open(for: functions) { components.storageProtocols(of: $0) }
      opened.append((.storage, addresses))
    }
    return opened
  }

  /// Writes the key file of the service account with which functions get access tokens.
  private func writeCredentials(_ account: RSAKey) throws(StatusError) {
    components.fakes.install(account, project: configuration.project)
    components.signingKeys.install(account)
    try preparation.folder.writeCredentials(
      account,
      project: configuration.project,
      tokenURI: "http://\(address.reachable)/providers/token"
    )
  }

  /// Returns a dictionary of the inspection that `--inspect` asks for, by the function's name. It
  /// is empty without `--inspect`.
  ///
  /// - Throws: `INVALID_ARGUMENT` if there is no such function.
  private func inspections(of catalog: FunctionCatalog) throws -> [String: Inspection] {
    guard let name = configuration.inspectedFunction else { return [:] }
    guard catalog.functions[name] != nil else {
      let names = catalog.functions.keys.sorted().joined(separator: ", ")
      throw StatusError(
        .invalidArgument,
        "--inspect: there is no function \(quoted(name)); there are: \(names)"
      )
    }
    let console = preparation.console
    let inspection = Inspection { processIdentifier in
      console.warn("\(name) waits for a debugger: lldb -p \(processIdentifier)")
    }
    return [name: inspection]
  }
}
