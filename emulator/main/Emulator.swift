import Cryptography
import Doubles
import FirestoreAPI
import FirestoreModel
import FunctionRuntime
import GRPC
import HTTPServer
import HTTPService
import HTTPTransport
import JSONCoding
import Logging
import Persistence
import Platform
import Processes
import Providers
import RPCStatus
import Recording
import Server
import ServiceLifecycle
import Store
import Transfer
import Triggers
import UI
import UnixSignals
import Workers

/// All services of one emulator, from their making to their end.
struct Emulator {
  private let configuration: EmulatorConfiguration
  private let executable: String
  private let console: Console

  init(_ configuration: EmulatorConfiguration, executable: String, console: Console) {
    self.configuration = configuration
    self.executable = executable
    self.console = console
  }

  /// What runs once everything accepts.
  typealias Body = @Sendable (RunningEmulator) async throws -> Void

  /// Starts the services, runs the body, and ends all of it when the body returns or a signal
  /// comes.
  func run(_ body: @escaping Body) async throws {
    let sources = FunctionContext.Sources.system
    let shell = ProcessInfo.processInfo.environment
    let folder = try RunFolder(temporaryDirectory: shell.temporaryDirectory)
    defer { folder.remove() }

    let logger = try makeLogger()
    let apertium = try configuration.translator.apertium(shell: shell)
    let translator = configuration.translator.translator(apertium)
    let dispatcher = Dispatcher(
      isolation: configuration.isolation,
      retryPolicy: configuration.retryPolicy,
      clock: RetryClock(scale: configuration.timeScale),
      chaos: configuration.chaos,
      sources: sources,
      logger: logger
    )
    dispatcher.isEnabled = configuration.firesTriggers
    let durable = try configuration.dataFolder.map { path throws(StatusError) in
      try DurableStore(in: DataFolder(path))
    }
    let recorder = InvocationRecorder(now: sources.now, newID: sources.newID)
    let store = Store(
      limits: configuration.storeLimits,
      indexes: configuration.indexes,
      contents: durable?.contents ?? .init(),
      journal: durable?.journal,
      clock: sources.now,
      observers: [recorder, dispatcher]
    )
    if let durable { try dispatcher.attach(to: store, records: durable.contents.records) }
    let transport = HTTPTransport(environment: shell)
    let providers = try configuration.realProviders(
      shell: shell,
      transport: transport,
      now: { sources.now().seconds }
    ) { logger.warning("\($0)") }
    let doubles = ProviderDoubles(
      translationKey: FunctionEnvironment.translationKey,
      openAIKey: FunctionEnvironment.openAIKey,
      anthropicKey: FunctionEnvironment.anthropicKey,
      now: { sources.now().seconds },
      newID: sources.newID,
      translator: translator,
      chaos: { dispatcher.chaos?.providerFault(of: $0) },
      elsewhere: providers,
      onPush: { push in dispatcher.feed.publish(.push(push)) }
    )
    let transfer = DataTransfer(store: store, workingDirectory: Executable.workingDirectory)
    let startup = Startup(expecting: Set(configuration.endpoints.keys))

    let triggers = TriggerRegistry(
      dispatcher: dispatcher,
      functionsEmulator: configuration.functionsEmulator?.description,
      transport: transport
    )

    @Sendable func firestore(of function: String? = nil) -> FirestoreService {
      FirestoreService(
        project: configuration.project,
        store: store,
        newID: sources.newID,
        function: function
      )
    }
    // What functions ask may be recorded, and they may be killed at it.
    @Sendable func around(_ service: any HTTPService) -> any HTTPService {
      RecordingMiddleware(
        CrashInjection(service, dispatcher: dispatcher),
        recorder: recorder,
        document: { store.document($0) }
      )
    }
    @Sendable func firestoreHTTP(_ firestore: FirestoreService) -> any HTTPService {
      around(
        FirestoreHTTP(firestore, transfer: transfer, triggers: triggers) {
          // Ends like a signal from outside does.
          kill(getpid(), SIGTERM)
        }
      )
    }
    let all: [any HTTPService] = [
      firestoreHTTP(firestore()),
      around(
        ProviderCallMiddleware(
          FunctionsService(
            project: configuration.project,
            dispatcher: dispatcher,
            doubles: doubles
          ),
          dispatcher: dispatcher,
          now: sources.now
        )
      ),
      UIService(
        dispatcher: dispatcher,
        store: store,
        transfer: transfer,
        firestore: firestore(),
        about: .init(
          project: configuration.project,
          started: sources.now(),
          engines: doubles.engines,
          realProviders: configuration.providerLines,
          isolation: configuration.isolation,
          dataFolder: configuration.dataFolder,
          prices: try? PriceTable(shell["PRICES"])
        ),
        pages: shell["EMULATOR_PAGES"].map(PageFiles.folder) ?? .embedded,
        recorder: recorder,
        makeFixture: { recording throws(StatusError) in try await makeFixture(of: recording) },
        newID: sources.newID,
        addresses: { startup.addresses }
      ),
      HubService(
        project: configuration.project,
        dispatcher: dispatcher,
        transfer: transfer,
        addresses: { startup.addresses },
        recordings: RecordingService(recorder)
      ),
    ]
    let requestGuard = RequestGuard(
      allowedHosts: configuration.allowedHosts,
      allowedOrigins: configuration.allowedOrigins
    )
    @Sendable func rpcServer(_ firestore: FirestoreService) -> RPCServer {
      RPCServer(FirestoreRPC(firestore)) { requestGuard.isAllowed(host: $0) }
    }
    var listeners: [String: any Service] = [:]
    for service in all {
      guard let endpoint = configuration.endpoints[service.name] else { continue }
      listeners[service.name] = HTTPListener(
        service,
        http2: service.name == "firestore" ? rpcServer(firestore()) : nil,
        host: endpoint.host,
        port: endpoint.port,
        fallsBackToFreePort: endpoint.isPortNegotiable,
        portOption: "--\(service.name)-port",
        policy: requestGuard,
        logger: logger
      ) { port in
        startup.listens(service.name, .init(host: endpoint.host, port: port))
        // A client of an earlier run may be here at once: nothing would come of what it writes before
        // the functions are known, and it would read nothing of what is still imported.
        if service.name == "firestore" { await startup.waitUntilPrepared() }
      }
    }

    let functionPorts = FunctionPorts { function, onReady in
      HTTPListener(
        firestoreHTTP(firestore(of: function)),
        http2: rpcServer(firestore(of: function)),
        host: FunctionPorts.host,
        port: 0,
        portOption: "--firestore-port",
        policy: requestGuard,
        logger: logger,
        onReady: onReady
      )
    }

    let main = MainService {
      guard let addresses = await startup.allListen() else { return }
      let emulator = try await prepare(
        addresses,
        shell: shell,
        folder: folder,
        store: store,
        transfer: transfer,
        dispatcher: dispatcher,
        doubles: doubles,
        transport: transport,
        recorder: recorder,
        functionPorts: functionPorts,
        logger: logger
      )
      startup.prepared()
      defer { emulator.locator?.remove() }
      try await body(emulator)
    }
    // Stopped in reverse: functions in flight still find Firestore and their providers, and no
    // request waits for a function any more when its listener ends.
    let hasPolicies = configuration.indexes?.expiryPolicies.isEmpty == false
    let services = [
      listeners["firestore"], functionPorts, listeners["functions"], listeners["ui"],
      listeners["hub"], DispatcherService(dispatcher: dispatcher),
      hasPolicies
        ? ExpiryService(store: store, interval: configuration.ttlInterval, logger: logger) : nil,
    ].compactMap(\.self)
    let group = ServiceGroup(
      configuration: .init(
        services: services.map { .init(service: $0) } + [
          .init(service: main, successTerminationBehavior: .gracefullyShutdownGroup)
        ],
        gracefulShutdownSignals: [.sigint, .sigterm, .sighup],
        logger: logger.atLeast(.error)
      )
    )
    let result: Result<Void, any Error>
    do {
      result = .success(try await group.run())
    } catch {
      result = .failure(error)
    }
    await apertium?.end()
    await transport.shutDown()
    await store.close()
    // What never had its data has none to export.
    if startup.isPrepared { try await exportOnExit(store, transfer) }
    try result.get()
  }

  /// Replays the function to see that the fixture does what was recorded.
  private func makeFixture(
    of recording: ReplayFixture
  ) async throws(StatusError) -> ReplayFixture {
    do {
      return try await ReplayFunctions.withEngine(in: configuration.functionFolders) { engine in
        try await FixtureMaker(engine).fixture(of: recording)
      }
    } catch {
      throw error as? StatusError ?? StatusError(.internal, "\(error)")
    }
  }

  private func exportOnExit(
    _ store: Store,
    _ transfer: DataTransfer
  ) async throws(StatusError) {
    guard let export = configuration.exportOnExit else { return }
    let databases = store.databases
    let own = databases.filter { $0.project == configuration.project }
    let others = databases.filter { $0.project != configuration.project }
    var format = export.format
    if format == .google, own.count > 1 {
      console.print("Google's format holds one database and there are \(own.count): this is ndjson")
      format = .ndjson
    }
    func write(to path: String) async throws(StatusError) {
      let summary = try await transfer.export(configuration.project, to: path, as: format)
      console.print("exported \(summary.documents) documents to \(path)")
    }
    do throws(StatusError) {
      try await write(to: export.path)
    } catch {
      // The folder is another one than at the start; the data must go somewhere all the same.
      if error.code == .failedPrecondition { try await write(to: "\(export.path)-\(getpid())") }
      throw error
    }
    if !others.isEmpty {
      let names = others.map(\.description).joined(separator: ", ")
      console.print("not exported, being of other projects: \(names)")
    }
  }

  /// Finds the functions and tells everybody where the services are.
  private func prepare(
    _ addresses: Addresses,
    shell: [String: String],
    folder: RunFolder,
    store: Store,
    transfer: DataTransfer,
    dispatcher: Dispatcher,
    doubles: ProviderDoubles,
    transport: HTTPTransport,
    recorder: InvocationRecorder,
    functionPorts: FunctionPorts,
    logger: Logger
  ) async throws -> RunningEmulator {
    var environmentAddresses = addresses
    environmentAddresses["firestore"] = configuration.firestoreEmulator ?? addresses["firestore"]
    var environment = FunctionEnvironment(
      shell: shell,
      project: configuration.project,
      addresses: environmentAddresses,
      credentials: folder.credentials,
      functionFolders: configuration.functionFolders,
      models: configuration.modelVariables,
      keys: configuration.keyVariables
    )
    if let functions = addresses["functions"] {
      // A short key: it opens nothing but a double on loopback, and a longer one would take most
      // of the start. Asking the functions for their manifests takes as long.
      async let account = RSAKey.generate(bits: 1_024)
      let found = try await FunctionCatalog.discover(
        in: configuration.functionFolders,
        environment: environment.undescribed,
        // It serves functions and is none.
        excluding: [executable, "\(executable.directory)/serve"],
        logger: logger
      )
      doubles.install(try await account, project: configuration.project)
      try folder.writeCredentials(
        try await account,
        project: configuration.project,
        tokenURI: "http://\(functions.reachable)/providers/token"
      )
      environment.withhold(found.secrets)
      // Google's emulator has one address for everybody.
      let isFirestoreOurs = configuration.firestoreEmulator == nil && addresses["firestore"] != nil
      let ownAddresses =
        isFirestoreOurs ? try await functionPorts.open(found.functions.keys.sorted()) : [:]
      dispatcher.install(
        found.withEnvironment { [environment] manifest in
          let variables = environment.variables(of: manifest)
          guard let address = ownAddresses[manifest.name] else { return variables }
          return variables.merging(["FIRESTORE_EMULATOR_HOST": "\(address)"]) { $1 }
        },
        targets: try configuration.targets(for: found, transport: transport),
        inspections: try inspections(of: found),
        observe: recorder.observe
      )
      if let address = configuration.firestoreEmulator {
        try await GoogleEmulator(address, transport: transport).register(
          found,
          project: configuration.project,
          functions: functions.reachable
        )
      }
    } else if configuration.inspectedFunction != nil {
      throw StatusError(.invalidArgument, "--inspect: no functions are started")
    }
    let missing = dispatcher.missingFunctions.sorted { $0.key < $1.key }
    if !missing.isEmpty {
      logger.warning(
        "deliveries wait for functions that aren't here",
        metadata: [
          "functions": "\(missing.map { "\($0.key) (\($0.value))" }.joined(separator: ", "))"
        ]
      )
    }
    var imported: TransferSummary?
    if let data = configuration.dataImport {
      imported = try await transfer.importData(
        from: data.path,
        into: configuration.project,
        firesTriggers: data.firesTriggers
      )
    }
    var locator: HubLocator?
    if let hub = addresses["hub"] {
      locator = HubLocator(
        project: configuration.project,
        temporaryDirectory: shell.temporaryDirectory
      )
      if try await locator?.write(hub: hub.reachable) == false {
        logger.warning(
          "another emulator of this project is running; commands will find that one"
        )
      }
    }
    let emulator = RunningEmulator(
      configuration: configuration,
      addresses: addresses,
      environment: environment.commandVariables,
      store: store,
      dispatcher: dispatcher,
      doubles: doubles,
      locator: locator
    )
    console.announce(emulator)
    if let imported {
      console.print(
        "  imported \(imported.documents) documents\(TransferWords.left(imported.ignored))\n"
      )
    }
    do {
      if let path = configuration.readyFile { try ReadyFile.write(addresses, to: path) }
    } catch {
      locator?.remove()
      throw error
    }
    releaseStartupMemory()
    return emulator
  }

  /// - Throws: INVALID_ARGUMENT if there is no function of the name.
  private func inspections(of catalog: FunctionCatalog) throws -> [String: Inspection] {
    guard let name = configuration.inspectedFunction else { return [:] }
    guard catalog.functions[name] != nil else {
      let names = catalog.functions.keys.sorted().joined(separator: ", ")
      throw StatusError(
        .invalidArgument,
        "--inspect: there is no function \(quoted(name)); there are: \(names)"
      )
    }
    let console = console
    let inspection = Inspection { processIdentifier in
      console.print("\(name) waits for a debugger: lldb -p \(processIdentifier)")
    }
    return [name: inspection]
  }

  private func makeLogger() throws(StatusError) -> Logger {
    var logger = Logger(label: "emulator") { label in
      switch configuration.logFormat {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(function: label, .process)
      }
    }
    logger.logLevel = try Configuration.process.logLevel(default: .warning)
    for warning in configuration.warnings { logger.warning("\(warning)") }
    return logger
  }
}

/// An emulator whose services all accept.
struct RunningEmulator: Sendable {
  var configuration: EmulatorConfiguration
  var addresses: Addresses
  /// The variables of `exec`'s command.
  var environment: [String: String]
  var store: Store
  var dispatcher: Dispatcher
  var doubles: ProviderDoubles
  var locator: HubLocator?
}

/// Runs what `start` or `exec` is for; a signal ends it.
private struct MainService: Service {
  var body: @Sendable () async throws -> Void

  func run() async throws {
    try await cancelWhenGracefulShutdown { try await body() }
  }
}

private struct DispatcherService: Service {
  var dispatcher: Dispatcher

  func run() async throws {
    await withGracefulShutdownHandler {
      await dispatcher.run()
    } onGracefulShutdown: {
      dispatcher.finish()
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

extension [String: String] {
  /// Where temporary files go, without a slash at the end.
  var temporaryDirectory: String {
    let path = self["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
  }
}
