import CloudEvents
import Core
import Delivery
import FirestoreModel
import FunctionHost
import Persistence
import ProviderFakes
import Rules
import Services
import Store

/// The configuration of an emulator, from options, firebase.json and defaults.
struct EmulatorConfiguration: Sendable {
  /// The host and port of a service to start.
  struct Endpoint: Sendable, Equatable {
    var host: String
    var port: Int
    /// A Boolean value that indicates whether any free port is used if this one is taken.
    var isPortNegotiable: Bool

    /// Returns whether the endpoint and another one can't be open at the same time.
    func excludes(_ other: Endpoint) -> Bool {
      port != 0 && port == other.port && host == other.host && !isPortNegotiable
        && !other.isPortNegotiable
    }
  }

  static let defaultProject = "demo-worldchat"
  /// Firebase's services that aren't emulated.
  private static let notBuilt: Set<String> = [
    "pubsub", "eventarc", "tasks", "hosting", "logging",
    "extensions", "dataconnect", "apphosting",
  ]

  var project: String
  var endpoints: [ServiceName: Endpoint] = [:]
  var functionFolders: [String]
  var seedsDemo: Bool
  /// The file of `--seed FILE`, or `nil` if it isn't given.
  var seedFile: SeedFile?
  /// The folder that keeps the documents, or `nil` to keep them in memory only.
  var dataFolder: String?
  var allowedHosts: [String] = []
  var allowedOrigins: [String] = []
  var isolation: Isolation
  /// The function whose events wait for a debugger.
  var inspectedFunction: String?
  var firesTriggers: Bool
  var retryPolicy: DeliveryRetryPolicy
  /// The number by which retry delays are divided.
  var timeScale: Double
  var chaos: Chaos?
  var readyFile: ReadyFile?
  var logFormat: EmulatorOptions.LogFormat
  /// A Boolean value that indicates whether the terminal shows only warnings.
  var isQuiet: Bool
  var warnings: [String]
  var indexes: IndexConfiguration?
  var rules = RulesSource.none
  var databaseRules: RulesFilesSource<DatabaseRules>
  var storageRules: RulesFilesSource<RulesFile>
  var ttlInterval = Duration.seconds(60)
  var storeLimits = Store.Limits()
  var dataImport: DataImport?
  var exportOnExit: ExportOnExit?
  /// The URLs to which functions' events are posted, by the function's name. The executables of
  /// these functions aren't run.
  var deliver: [String: String] = [:]
  var deliverForm: EventMessage.Form
  /// The address of the functions emulator that may register triggers, or `nil` if none may.
  var functionsEmulator: Addresses.Address?
  var translator: TranslatorOption
  /// The sources of responses for the providers whose fakes aren't used.
  var providers: [ProviderName: ProviderSource] = [:]
  /// The absolute path of the cassettes' folder.
  var cassetteFolder: String?
  /// A Boolean value that indicates whether the real FCM checks pushes without sending them.
  var validatesPushes = false
  /// The address of Google's Firestore emulator, which functions use instead of this Firestore.
  var firestoreEmulator: Addresses.Address?

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - folder: The folder that firebase.json may be in.
  ///   - executable: The path of the emulator's executable. By default, the functions are in its
  ///     folder.
  /// - Throws: A `StatusError` whose message names the option or the file.
  init(_ options: EmulatorOptions, folder: String, executable: String) throws(StatusError) {
    readyFile = options.services.readyFile.map { ReadyFile(path: $0) }
    try readyFile?.removeStale()
    let firebase = try FirebaseConfiguration(folder: folder)
    databaseRules = try .ofDatabases()
    storageRules = try .ofStorage()
    let aliases = try ProjectAliases(folder: folder)
    project = try aliases.project(options.data.project) ?? Self.defaultProject
    warnings = firebase.warnings
    if let warning = aliases.warning(of: options.data.project) { warnings.append(warning) }
    seedsDemo = options.data.seed == Demo.name
    if let file = options.data.seed, !seedsDemo {
      seedFile = try SeedFile(
        file,
        at: file.absolutePath(in: folder),
        in: DatabaseName(project: project)
      )
    }
    if options.data.data == "" { throw StatusError(.invalidArgument, "--data names no folder") }
    dataFolder = options.data.data?.absolutePath(in: folder)
    isolation = options.functions.isolation.isolation
    inspectedFunction = options.functions.inspect
    firesTriggers = !options.functions.noTriggers
    retryPolicy = options.functions.retry.policy
    timeScale = options.functions.timeScale
    guard (0.001...1_000_000).contains(timeScale) else {
      throw StatusError(.invalidArgument, "--time-scale must be between 0.001 and 1000000")
    }
    chaos = try options.functions.chaos.map { text throws(StatusError) in
      do throws(StatusError) {
        return try Chaos(text)
      } catch {
        throw StatusError(error.code, "--\(error.message)")
      }
    }
    logFormat = options.services.logFormat
    isQuiet = options.services.quiet
    deliverForm = options.destinations.deliverFormat.form
    translator = options.providers.translator
    functionFolders =
      options.functions.functions.isEmpty
      ? [executable.directory] : options.functions.functions.map { $0.absolutePath(in: folder) }

    try chooseStore(options, firebase, folder: folder)
    try chooseEndpoints(options, firebase)
    try chooseRules(options.firestore, firebase, folder: folder)
    try chooseTransfers(options, folder: folder)
    try chooseDestinations(options, firebase)
    try chooseProviders(options, folder: folder)
  }

  private mutating func chooseStore(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration,
    folder: String
  ) throws(StatusError) {
    if let file = options.firestore.indexes ?? firebase.indexes {
      let path = file.absolutePath(in: folder)
      guard let json = try? Data(contentsOf: URL(filePath: path)) else {
        throw StatusError(.notFound, "\(file): the index file can't be read")
      }
      indexes = try IndexConfiguration(json, name: file)
    }
    guard (0.01...86_400).contains(options.firestore.ttlInterval) else {
      throw StatusError(.invalidArgument, "--ttl-interval must be between 0.01 and 86400 seconds")
    }
    ttlInterval = .seconds(options.firestore.ttlInterval)
    if let most = options.firestore.writesPerCommit {
      guard most > 0 else {
        throw StatusError(.invalidArgument, "--writes-per-commit must be at least 1")
      }
      storeLimits.writesPerCommit = most
    }
  }

  private mutating func chooseRules(
    _ options: FirestoreOptions,
    _ firebase: FirebaseConfiguration,
    folder: String
  ) throws(StatusError) {
    databaseRules = try .ofDatabases(
      endpoints[.database] == nil ? [] : firebase.databaseRules,
      folder: folder,
      isOff: options.noRules
    )
    storageRules = try .ofStorage(
      endpoints[.storage] == nil ? [] : firebase.storageRules,
      folder: folder,
      isOff: options.noRules
    )
    guard endpoints[.firestore] != nil else {
      guard options.rules == nil else {
        throw StatusError(.invalidArgument, "--rules needs firestore: add firestore to --only")
      }
      return
    }
    rules = try RulesSource(options, firebase, folder: folder)
  }

  private mutating func chooseEndpoints(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration
  ) throws(StatusError) {
    let chosen = try Self.services(options.services.only)
    for service in EmulatedService.all where chosen.contains(service.name.rawValue) {
      let name = service.name
      let settings = firebase.emulators[name] ?? .init()
      guard settings.isEnabled else { continue }
      let port = service.portOption(options) ?? settings.port
      guard port.map((0...65_535).contains) ?? true else {
        throw StatusError(
          .invalidArgument,
          "--\(name)-port is not a port: use a number from 0 to 65535"
        )
      }
      let endpoint = Endpoint(
        host: options.services.host ?? settings.host ?? "127.0.0.1",
        port: port ?? service.defaultPort,
        isPortNegotiable: port == nil && service.fallsBackToFreePort
      )
      if let other = endpoints.first(where: { endpoint.excludes($0.value) })?.key {
        throw StatusError(
          .invalidArgument,
          "--\(name)-port and --\(other)-port are both \(endpoint.port): choose another one"
        )
      }
      endpoints[name] = endpoint
    }
    allowedHosts = options.services.allowHost + endpoints.values.map(\.host)
    if endpoints.values.contains(where: { $0.host == "0.0.0.0" || $0.host == "::" }) {
      allowedHosts += LocalAddresses.all
    }
    allowedOrigins = options.services.allowOrigin
    for origin in allowedOrigins where !Self.isOrigin(origin) {
      throw StatusError(
        .invalidArgument,
        "--allow-origin: \(quoted(origin)) is not scheme://host or scheme://host:port"
      )
    }
  }

  private static func services(_ only: String?) throws(StatusError) -> Set<String> {
    let all = Set(EmulatedService.all.map(\.name.rawValue))
    guard let only else { return all }
    let names = Set(only.split { $0 == "," || $0 == " " }.map(String.init))
    guard !names.isEmpty else {
      throw StatusError(.invalidArgument, "--only names no service")
    }
    for name in names.sorted() where !all.contains(name) {
      throw notBuilt.contains(name)
        ? StatusError(.unimplemented, "--only: \(name) is not emulated yet")
        : StatusError(
          .invalidArgument,
          "--only: there is no service \(name): use firestore, auth, database, storage, functions, ui or hub"
        )
    }
    return names
  }

  /// Returns a Boolean value that indicates whether a text has the form of an Origin header: scheme
  /// and host, without a path or a trailing slash.
  private static func isOrigin(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && ["http:", "https:"].contains(parts[0].lowercased())
      && parts[1].isEmpty && !parts[2].isEmpty && !parts[2].contains("@")
  }
}
