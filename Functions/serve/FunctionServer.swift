import Core
import FunctionHost
import FunctionRuntime
import GoogleAuth
import HTTPClient
import HTTPServer
import Logging
import ServiceLifecycle
import UnixSignals

/// The server of one function: its worker processes and its HTTP port.
struct FunctionServer: Sendable {
  /// The time for sending the last responses after invocations have ended.
  private static let drainDelay = Duration.seconds(1)

  private let settings: ServeSettings

  init(_ settings: ServeSettings) { self.settings = settings }

  /// Serves until SIGTERM or SIGINT, and returns when all accepted requests are answered.
  ///
  /// - Throws: the error that prevents the server from starting.
  func run() async throws {
    FileLimit.raise()
    if let shortage = FileLimit.shortage {
      throw StatusError.configuration(.resourceExhausted, shortage)
    }
    let function = try await describedFunction()
    let configuration = settings.configuration
    let logger = Logger(label: "serve") { _ in
      JSONLogHandler(function: function.name, configuration)
    }
    let trace = TraceNames(project: configuration["GOOGLE_CLOUD_PROJECT"])
    let pool = try await preparedPool(function, WorkerLog(trace: trace))
    let lifecycle = Lifecycle()
    let service = FunctionService(
      function: function.manifest,
      settings: settings,
      pool: pool,
      callerVerifier: try callerVerifier(for: function.manifest, logger),
      requestLog: RequestLog(function: function.name, trace: trace, level: logger.logLevel),
      lifecycle: lifecycle
    )
    let port = PortService(
      listener: listener(service, function.manifest, lifecycle, logger),
      lifecycle: lifecycle,
      pool: pool,
      drain: settings.drain
    )
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: PoolService(pool: pool)),
          .init(service: port, successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: Logger(label: "serve") { _ in SwiftLogNoOpLogHandler() }
      )
    )
    do {
      try await group.run()
    } catch {
      await pool.close()
      throw error
    }
  }

  /// Returns the worker pool as soon as a process is ready for the first event.
  private func preparedPool(
    _ function: InstalledFunction,
    _ log: WorkerLog
  ) async throws(StatusError) -> FunctionPool {
    var poolSettings = FunctionPool.Settings()
    poolSettings.idleLimit = .seconds(300)
    let pool = FunctionPool(function, settings: poolSettings, logs: log)
    do throws(StatusError) {
      try await pool.prepare()
    } catch {
      await pool.close()
      throw error
    }
    return pool
  }

  private func listener(
    _ service: FunctionService,
    _ function: FunctionManifest,
    _ lifecycle: Lifecycle,
    _ logger: Logger
  ) -> HTTPListener {
    var timeouts = HTTPListener.Timeouts()
    timeouts.shutdown = settings.drain + Self.drainDelay
    timeouts.drainDelay = min(.milliseconds(500), settings.drain)
    return HTTPListener(
      service,
      host: settings.host,
      port: settings.port,
      policy: ServePolicy(answersPages: settings.takesCalls, lifecycle: lifecycle),
      timeouts: timeouts,
      limits: ConnectionLimits(),
      threads: .single,
      logger: logger,
      onRefusal: { service.noteRefusal($0.error, status: $0.status, headers: $0.headers) }
    ) { port in
      logger.info("serving", metadata: ["port": "\(port)", "host": "\(settings.host)"])
      if settings.takesCalls, function.callable, settings.anonymousCalls == nil,
        !settings.needsTokens
      {
        logger.warning("calls without a token are accepted")
      }
      if let path = settings.readyFile { write(port: port, to: path, logger) }
      releaseStartupMemory()
    }
  }

  private func describedFunction() async throws(StatusError) -> InstalledFunction {
    let configuration = settings.configuration
    let command = Command(
      executable: settings.function,
      environment: configuration.all
    )
    var function: InstalledFunction
    do throws(StatusError) {
      // Allow a minute, because a function may start slowly on a small instance.
      function = try await InstalledFunction(describing: command, within: 60)
    } catch {
      throw .configuration(error.code, "\(settings.function) is not a function: \(error.message)")
    }
    let manifest = function.manifest
    if let target = settings.target, target != manifest.name {
      throw .configuration(
        .failedPrecondition,
        "FUNCTION_TARGET is \(target), but the function's name is \(manifest.name)"
      )
    }
    guard settings.signature != .http || manifest.callable else {
      throw .configuration(
        .failedPrecondition,
        "FUNCTION_SIGNATURE_TYPE is http, but \(manifest.name) is not callable"
      )
    }
    let takesCalls = settings.takesCalls && manifest.callable
    guard
      !takesCalls || settings.anonymousCalls != .refuse
        || configuration["GOOGLE_CLOUD_PROJECT"] != nil
    else {
      throw .configuration(
        .failedPrecondition,
        "ANONYMOUS_CALLS is refuse: set GOOGLE_CLOUD_PROJECT to verify callers' tokens"
      )
    }
    for variable in manifest.environment where variable.required {
      _ = try configuration.require(variable.name)
    }
    if let concurrency = settings.concurrency { function.manifest.concurrency = concurrency }
    return function
  }

  /// Returns the verifier of callers' tokens.
  ///
  /// - Returns: The verifier, or `nil` if the server accepts no calls, or if it has no project,
  ///   Auth emulator or App Check to verify tokens with.
  private func callerVerifier(
    for function: FunctionManifest,
    _ logger: Logger
  ) throws(StatusError) -> CallerVerifier? {
    let configuration = settings.configuration
    let isMeant =
      settings.enforcesAppCheck
      || ["GOOGLE_CLOUD_PROJECT", "FIREBASE_AUTH_EMULATOR_HOST"].contains {
        configuration[$0] != nil
      }
    guard settings.takesCalls, function.callable, isMeant else { return nil }
    let environment = configuration.all
    let verifier = try CallerVerifier(
      environment: environment,
      transport: HTTPClient(
        userAgent: "worldchat-functions",
        configuration: HTTPClientConfiguration(environment: environment)
      )
    )
    if configuration["FIREBASE_AUTH_EMULATOR_HOST"] != nil {
      logger.warning("unsigned tokens are accepted because FIREBASE_AUTH_EMULATOR_HOST is set")
    }
    return verifier
  }

  private func write(port: Int, to path: String, _ logger: Logger) {
    do {
      let line = try JSON.encode(
        JSONValue.object(["host": .string(settings.host), "port": .integer(Int64(port))])
      )
      // The write is atomic: a process that waits for the file never reads half of it.
      try line.write(to: URL(filePath: path), options: .atomic)
    } catch {
      logger.error("writing the ready file failed", metadata: ["path": "\(path)"])
    }
  }
}

/// A service that accepts requests until SIGTERM, and then waits for the accepted ones.
private struct PortService: Service {
  var listener: HTTPListener
  var lifecycle: Lifecycle
  var pool: FunctionPool
  var drain: Duration

  func run() async throws {
    async let _: Void = giveUpInTime()
    try await withGracefulShutdownHandler {
      try await listener.run()
    } onGracefulShutdown: {
      lifecycle.drain()
    }
  }

  /// Ends invocations that still run after the drain time; their callers get an error.
  private func giveUpInTime() async {
    try? await gracefulShutdown()
    guard (try? await Task.sleep(for: drain)) != nil else { return }
    lifecycle.end()
    await pool.close(grace: .zero)
  }
}

/// A service that ends the function's processes when the port is closed.
private struct PoolService: Service {
  var pool: FunctionPool

  func run() async throws {
    try? await gracefulShutdown()
    await pool.close()
  }
}
