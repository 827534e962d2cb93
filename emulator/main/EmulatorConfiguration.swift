import CloudEvents
import Core
import Delivery
import FunctionHost
import Persistence
import ProviderFakes
import Services
import Store

/// What an emulator is to be: options, firebase.json and defaults taken together.
struct EmulatorConfiguration: Sendable {
  /// A service to start.
  struct Endpoint: Sendable, Equatable {
    var host: String
    var port: Int
    /// Whether another port will do if this one is taken.
    var isPortNegotiable: Bool
  }

  static let defaultProject = "demo-worldchat"
  /// Firebase's services that aren't built.
  private static let notBuilt: Set<String> = [
    "auth", "database", "storage", "pubsub", "eventarc", "tasks", "hosting", "logging",
    "extensions", "dataconnect", "apphosting",
  ]

  var project: String
  var endpoints: [ServiceName: Endpoint] = [:]
  var functionFolders: [String]
  var seedsDemo: Bool
  /// Where the documents are kept; nil: in memory only.
  var dataFolder: String?
  var allowedHosts: [String] = []
  var allowedOrigins: [String] = []
  var isolation: Isolation
  /// The function whose events wait for a debugger.
  var inspectedFunction: String?
  var firesTriggers: Bool
  var retryPolicy: DeliveryRetryPolicy
  /// How many times faster than in reality retries are waited for.
  var timeScale: Double
  var chaos: Chaos?
  var readyFile: String?
  var logFormat: EmulatorOptions.LogFormat
  var warnings: [String]
  var indexes: IndexConfiguration?
  var ttlInterval = Duration.seconds(60)
  var storeLimits = Store.Limits()
  var dataImport: DataImport?
  var exportOnExit: ExportOnExit?
  /// Where functions' events go instead of their executables: URLs by the function's name.
  var deliver: [String: String] = [:]
  var deliverForm: EventMessage.Form
  /// Whose triggers may ask for events; nil: nobody's.
  var functionsEmulator: Addresses.Address?
  var translator: TranslatorOption
  /// Where the answers of providers come from that their fakes don't give.
  var providers: [FaultyProvider: ProviderSource] = [:]
  /// Where cassettes are; absolute.
  var cassetteFolder: String?
  /// Whether a real FCM only checks pushes.
  var validatesPushes = false
  /// Where our functions find documents instead of our own Firestore.
  var firestoreEmulator: Addresses.Address?

  /// - Parameters:
  ///   - folder: where firebase.json may be.
  ///   - executable: the emulator itself; the functions are beside it unless told otherwise.
  /// - Throws: one sentence that names the option or file.
  init(_ options: EmulatorOptions, folder: String, executable: String) throws(StatusError) {
    let firebase = try FirebaseConfiguration(folder: folder)
    if let rules = options.rules ?? firebase.rules, !options.noRules {
      throw StatusError(
        .unimplemented,
        "\(rules): there is no rules engine yet, so the data would be open; --no-rules says that you know"
      )
    }
    if let seed = options.seed, seed != "demo" {
      throw StatusError(.invalidArgument, "--seed: there is only demo")
    }
    project = options.project ?? firebase.project ?? Self.defaultProject
    guard !project.isEmpty, project.utf8.allSatisfy(Self.isProjectByte) else {
      throw StatusError(
        .invalidArgument,
        "--project: an id has lower-case letters, digits and hyphens"
      )
    }
    warnings = firebase.warnings
    seedsDemo = options.seed != nil
    if options.data == "" { throw StatusError(.invalidArgument, "--data names no folder") }
    dataFolder = options.data?.absolutePath(in: folder)
    isolation = options.isolation.isolation
    inspectedFunction = options.inspect
    firesTriggers = !options.noTriggers
    retryPolicy = options.retry.policy
    timeScale = options.timeScale
    guard (0.001...1_000_000).contains(timeScale) else {
      throw StatusError(.invalidArgument, "--time-scale must be between 0.001 and 1000000")
    }
    chaos = try options.chaos.map { text throws(StatusError) in try Chaos(text) }
    readyFile = options.readyFile
    logFormat = options.logFormat
    deliverForm = options.deliverFormat.form
    translator = options.translator
    functionFolders =
      options.functions.isEmpty
      ? [executable.directory] : options.functions.map { $0.absolutePath(in: folder) }

    try chooseStore(options, firebase, folder: folder)
    try chooseEndpoints(options, firebase)
    try chooseTransfers(options, folder: folder)
    try chooseDestinations(options, firebase)
    try chooseProviders(options, folder: folder)
  }

  private mutating func chooseStore(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration,
    folder: String
  ) throws(StatusError) {
    if let file = options.indexes ?? firebase.indexes {
      let path = file.absolutePath(in: folder)
      guard let json = try? Data(contentsOf: URL(filePath: path)) else {
        throw StatusError(.notFound, "\(file): the file of indexes can't be read")
      }
      indexes = try IndexConfiguration(json, name: file)
    }
    guard (0.01...86_400).contains(options.ttlInterval) else {
      throw StatusError(.invalidArgument, "--ttl-interval must be between 0.01 and 86400 seconds")
    }
    ttlInterval = .seconds(options.ttlInterval)
    if let most = options.writesPerCommit {
      guard most > 0 else {
        throw StatusError(.invalidArgument, "--writes-per-commit must be at least 1")
      }
      storeLimits.writesPerCommit = most
    }
  }

  private mutating func chooseEndpoints(
    _ options: EmulatorOptions,
    _ firebase: FirebaseConfiguration
  ) throws(StatusError) {
    let chosen = try Self.services(options.only)
    for service in EmulatedService.all where chosen.contains(service.name.rawValue) {
      let name = service.name
      let settings = firebase.emulators[name] ?? .init()
      guard settings.isEnabled else { continue }
      let port = service.portOption(options) ?? settings.port
      guard port.map((0...65_535).contains) ?? true else {
        throw StatusError(.invalidArgument, "--\(name)-port is not a port")
      }
      endpoints[name] = Endpoint(
        host: options.host ?? settings.host ?? "127.0.0.1",
        port: port ?? service.defaultPort,
        isPortNegotiable: port == nil && service.fallsBackToFreePort
      )
    }
    allowedHosts = options.allowHost + endpoints.values.map(\.host)
    if endpoints.values.contains(where: { $0.host == "0.0.0.0" || $0.host == "::" }) {
      allowedHosts += LocalAddresses.all
    }
    allowedOrigins = options.allowOrigin
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
        ? StatusError(.unimplemented, "--only: \(name) is not built yet")
        : StatusError(.invalidArgument, "--only: there is no service \(name)")
    }
    return names
  }

  /// Whether a browser would send it as an Origin: without a path, without a slash at the end.
  private static func isOrigin(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && ["http:", "https:"].contains(parts[0].lowercased())
      && parts[1].isEmpty && !parts[2].isEmpty && !parts[2].contains("@")
  }

  private static func isProjectByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
