import CloudStorage
import Core
import Cryptography
import Delivery
import FunctionHost
import FunctionRuntime
import ProviderFakes
import Recording
import Services
import Synchronization

/// The functions of one emulator: finds them and gives them to the dispatcher, with their
/// environment variables and ports.
final class FunctionInstallation: Sendable {
  private struct State {
    var environment: FunctionEnvironment
    /// The variables with the addresses of a function's own ports, by the function's name.
    var addresses: [String: [String: String]] = [:]
    /// The files of the folders before the functions were found.
    var files: [String: FunctionFolders.File] = [:]
    /// The paths of functions that were skipped because another one has their name.
    var duplicates: Set<String> = []
  }

  let preparation: EmulatorPreparation
  let folders: FunctionFolders
  /// The address of the functions service.
  private let address: Addresses.Address
  /// The addresses of the services that this emulator starts.
  private let services: Addresses
  private let state: Mutex<State>

  private var components: EmulatorComponents { preparation.components }
  private var configuration: EmulatorConfiguration { components.configuration }

  init(
    _ preparation: EmulatorPreparation,
    _ environment: FunctionEnvironment,
    functions address: Addresses.Address,
    services: Addresses
  ) {
    self.preparation = preparation
    self.address = address
    self.services = services
    folders = FunctionFolders(
      preparation.components.configuration.functionFolders,
      environment: environment.undescribed,
      excluding: Executable.programs
    )
    state = Mutex(State(environment: environment))
  }

  /// The functions' variables, without the shell's values of the secrets in any manifest.
  var environment: FunctionEnvironment { state.withLock(\.environment) }

  /// The files of the functions' folders before the functions were found. A file that differs from
  /// these may not have been described.
  var files: [String: FunctionFolders.File] { state.withLock(\.files) }

  /// The paths of functions that were skipped at the start because another one has their name.
  var duplicates: Set<String> { state.withLock(\.duplicates) }

  /// Finds and installs the functions.
  func run() async throws {
    // A short key is enough, as only a fake on loopback accepts it. Generating a longer one would
    // take most of the startup time. The key is generated while the functions print their
    // manifests.
    async let account = RSAKey.generate(bits: 1_024)
    let files = try folders.files()
    state.withLock { $0.files = files }
    let found = try await FunctionCatalog.discover(in: folders, logger: components.logger)
    state.withLock { $0.duplicates = Set(found.duplicates.map(\.command.executable)) }
    try writeCredentials(try await account)
    try await prepare(found)
    var installation = Installation()
    installation.targets = try configuration.targets(for: found, transport: components.transport)
    installation.inspections = try inspections(of: found)
    installation.environment = { [self] in variables(of: $0) }
    installation.observe = components.recorder.observe
    components.dispatcher.install(found.withEnvironment(variables), installation)
    try await registerElsewhere(found)
  }

  /// Adds a function whose executable appeared while the emulator runs.
  func add(_ function: InstalledFunction) async throws {
    let catalog = FunctionCatalog([function])
    try await prepare(catalog)
    try components.dispatcher.add(function.withEnvironment(variables))
    try await registerElsewhere(catalog)
  }

  /// Withholds the functions' secrets, and opens the ports of those that have none yet.
  private func prepare(_ catalog: FunctionCatalog) async throws {
    let known = state.withLock { state in
      state.environment.withhold(catalog.secrets)
      return state.addresses
    }
    let names = catalog.functions.keys.filter { known[$0] == nil }.sorted()
    let addresses = try await openPorts(for: names)
    state.withLock { $0.addresses.merge(addresses) { $1 } }
  }

  private func variables(of manifest: FunctionManifest) -> [String: String] {
    state.withLock { state in
      state.environment.withhold(Set(manifest.secrets))
      return state.environment.variables(of: manifest)
        .merging(state.addresses[manifest.name] ?? [:]) { $1 }
    }
  }

  /// Opens the functions' own ports of the databases, and returns the variables with their addresses
  /// by the function's name.
  private func openPorts(for functions: [String]) async throws -> [String: [String: String]] {
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
    var variables = Dictionary(uniqueKeysWithValues: functions.map { ($0, [String: String]()) })
    for (service, addresses) in opened {
      for (function, address) in addresses {
        variables[function, default: [:]].merge(service.variables(at: address)) { $1 }
      }
    }
    return variables
  }

  /// Registers the functions' triggers with Google's emulator, if it has the documents.
  func registerElsewhere(_ catalog: FunctionCatalog) async throws(StatusError) {
    guard let address = configuration.firestoreEmulator else { return }
    try await GoogleEmulator(address, transport: components.transport).register(
      catalog,
      project: configuration.project,
      functions: self.address.reachable
    )
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
