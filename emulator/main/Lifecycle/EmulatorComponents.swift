import Authentication
import CloudStorage
import Core
import Delivery
import FirestoreAPI
import FirestoreModel
import FunctionHost
import FunctionRuntime
import HTTPClient
import HTTPServer
import HTTPService
import Logging
import Persistence
import ProviderFakes
import RealtimeDatabase
import Recording
import Services
import Store
import UI

/// The components that the services of one emulator share.
struct EmulatorComponents: Sendable {
  let configuration: EmulatorConfiguration
  let shell: [String: String]
  let sources = FunctionContext.Sources.system
  let logger: Logger
  let warnings: ClientWarnings
  let transport: HTTPClient
  let dispatcher: Dispatcher
  let recorder: InvocationRecorder
  let store: Store
  /// The folder of `--data`, or `nil` without it.
  let dataFolder: DataFolder?
  let rules: SecurityRules
  let rulesStatus: RulesStatus
  let debugOutput: RulesDebugOutput
  let accounts: AccountStore
  let databases: DatabaseStore
  let databaseRulesStatus: RulesFilesStatus
  let objects: ObjectStore
  let storageRules: StorageRules
  let storageRulesStatus: RulesFilesStatus
  let signingKeys = SigningKeys()
  let transfer: DataTransfer
  let fakes: ProviderFakes
  let requestGuard: RequestGuard
  let startup: Startup
  private let apertium: Apertium?

  /// Creates the components from a configuration.
  ///
  /// - Throws: `StatusError` if a file or a key can't be used.
  ///
  /// - Parameter folder: The temporary folder of the run, for objects without `--data`.
  init(_ configuration: EmulatorConfiguration, folder: RunFolder, shell: [String: String]) throws {
    self.configuration = configuration
    self.shell = shell
    logger = try configuration.makeLogger()
    warnings = ClientWarnings(logger)
    apertium = try configuration.translator.apertium(shell: shell)
    dispatcher = configuration.makeDispatcher(sources, logger)
    recorder = InvocationRecorder(now: sources.now, newID: sources.newID)
    let durable = try configuration.makeDurableStore()
    dataFolder = durable?.folder
    store = try configuration.makeStore(
      durable,
      clock: sources.now,
      recorder: recorder,
      dispatcher: dispatcher
    )
    debugOutput = RulesDebugOutput()
    (rules, rulesStatus) = configuration.rules.load(
      now: sources.now,
      onDebug: debugOutput.append
    )
    accounts = AccountStore(
      try durable.map { durable throws(StatusError) in
        try AccountContents(records: durable.contents.records, of: configuration.project)
      } ?? AccountContents(),
      journal: AccountRecords(in: store, of: configuration.project)
    )
    databaseRulesStatus = configuration.databaseRules.status(now: sources.now)
    let clock = sources.now
    databases = DatabaseStore(
      try durable.map { durable throws(StatusError) in
        try DatabaseRecords.contents(
          of: durable.contents.records,
          project: configuration.project
        )
      } ?? [:],
      rules: configuration.databaseRules.configured,
      journal: durable == nil ? nil : DatabaseRecords(in: store, of: configuration.project),
      observer: dispatcher,
      now: { clock().microseconds / 1_000 }
    )
    storageRules = StorageRules(configuration.storageRules.configured)
    storageRulesStatus = configuration.storageRules.status(now: sources.now)
    objects = try configuration.makeObjectStore(
      durable,
      in: folder,
      store: store,
      observer: dispatcher,
      clock: sources.now
    )
    transport = HTTPClient(environment: shell)
    fakes = try configuration.makeProviderFakes(
      shell: shell,
      translator: configuration.translator.translator(apertium),
      transport: transport,
      dispatcher: dispatcher,
      sources: sources,
      logger: logger
    )
    transfer = DataTransfer(
      store: store,
      workingDirectory: Executable.workingDirectory,
      services: [
        AccountExport(of: accounts), DatabaseExport(of: databases), ObjectExport(of: objects),
      ]
    )
    requestGuard = RequestGuard(
      allowedHosts: configuration.allowedHosts,
      allowedOrigins: configuration.allowedOrigins,
      onRefusal: warnings.log
    )
    startup = Startup(expecting: Set(configuration.endpoints.keys))
  }

  /// Closes the shared components after all services have stopped.
  func close() async {
    await apertium?.end()
    await transport.shutDown()
    await databases.finishWrites()
    await objects.finishWrites()
    await store.close()
  }

  /// Makes the listener of one port.
  func listener(
    _ protocols: EmulatedService.Protocols,
    at endpoint: EmulatorConfiguration.Endpoint,
    onReady: @escaping @Sendable (Int) async -> Void
  ) -> HTTPListener {
    HTTPListener(
      protocols.http,
      http2: protocols.http2,
      webSockets: protocols.webSockets,
      host: endpoint.host,
      port: endpoint.port,
      fallsBackToFreePort: endpoint.isPortNegotiable,
      portOption: "--\(protocols.http.name)-port",
      policy: requestGuard,
      logger: logger,
      onRefusal: { [warnings] refused in
        if refused.status == 413 { warnings.log("a request is refused: \(refused.error.message)") }
      },
      onReady: onReady
    )
  }
}

extension EmulatorConfiguration {
  fileprivate func makeLogger() throws(StatusError) -> Logger {
    var logger = Logger(label: "emulator") { label in
      switch logFormat {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(function: label, .process)
      }
    }
    logger.logLevel = try Configuration.process.logLevel(default: .warning)
    for warning in warnings { logger.warning("\(warning)") }
    return logger
  }

  fileprivate func makeDispatcher(
    _ sources: FunctionContext.Sources,
    _ logger: Logger
  ) -> Dispatcher {
    let dispatcher = Dispatcher(
      isolation: isolation,
      retryPolicy: retryPolicy,
      clock: RetryClock(scale: timeScale),
      chaos: chaos,
      sources: sources,
      // Otherwise the terminal's lines about deliveries tell of failures.
      failureLevel: isQuiet || logFormat == .json ? .error : .info,
      logger: logger
    )
    dispatcher.isEnabled = firesTriggers
    return dispatcher
  }

  /// Opens the folder of `--data`, or returns `nil` if the option isn't given.
  fileprivate func makeDurableStore() throws(StatusError) -> DurableStore? {
    try dataFolder.map { path throws(StatusError) in try DurableStore(in: DataFolder(path)) }
  }

  /// Makes the store.
  ///
  /// The recorder is the store's first observer, so that it records a commit before the dispatcher
  /// runs functions on the commit.
  fileprivate func makeStore(
    _ durable: DurableStore?,
    clock: @escaping @Sendable () -> Timestamp,
    recorder: InvocationRecorder,
    dispatcher: Dispatcher
  ) throws(StatusError) -> Store {
    let store = Store(
      limits: storeLimits,
      indexes: indexes,
      contents: durable?.contents ?? .init(),
      journal: durable?.journal,
      clock: clock,
      observers: [recorder, dispatcher]
    )
    if let durable { try dispatcher.attach(to: store, records: durable.contents.records) }
    return store
  }

  /// Makes the store of objects. Their content is in the folder of `--data`, or else in the
  /// temporary folder of the run.
  fileprivate func makeObjectStore(
    _ durable: DurableStore?,
    in folder: RunFolder,
    store: Store,
    observer: any ObjectObserver,
    clock: @escaping @Sendable () -> Timestamp
  ) throws(StatusError) -> ObjectStore {
    try ObjectStore(
      try durable.map { durable throws(StatusError) in
        try StorageRecords.contents(of: durable.contents.records, project: project)
      } ?? StorageContents(),
      of: project,
      in: ObjectFolder(
        "\(dataFolder ?? folder.path)/objects/\(project)",
        isDurable: durable != nil
      ),
      journal: durable.map { _ in StorageRecords(in: store, of: project) },
      observer: observer,
      now: clock
    )
  }

  fileprivate func makeProviderFakes(
    shell: [String: String],
    translator: OfflineTranslator,
    transport: HTTPClient,
    dispatcher: Dispatcher,
    sources: FunctionContext.Sources,
    logger: Logger
  ) throws(StatusError) -> ProviderFakes {
    let now = { @Sendable in sources.now().seconds }
    let providers = try realProviders(shell: shell, transport: transport, now: now) {
      logger.warning("\($0)")
    }
    return ProviderFakes(
      translationKey: FunctionEnvironment.translationKey,
      openAIKey: FunctionEnvironment.openAIKey,
      anthropicKey: FunctionEnvironment.anthropicKey,
      now: now,
      newID: sources.newID,
      translator: translator,
      chaos: { dispatcher.chaos?.providerFault(of: $0) },
      elsewhere: providers,
      onPush: { push in dispatcher.feed.publish(.push(push)) }
    )
  }
}
