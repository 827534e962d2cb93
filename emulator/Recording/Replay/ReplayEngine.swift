package import Core
package import Delivery
import FirestoreModel
import FunctionHost
package import FunctionRuntime
import HTTPServer
package import Logging
import ProviderFakes
import Services
import Synchronization

/// Runs functions on recorded invocations, in a world that has nothing but what was recorded.
package final class ReplayEngine: Sendable {
  /// What a function's processes are started with: workers of one project and the same variables
  /// serve all fixtures of that kind.
  private struct PoolKey: Hashable {
    var function: String
    var project: String
    var environment: [String: String]
  }

  /// Makes a function's variables in a project, given the port where everything is.
  package typealias MakeEnvironment =
    @Sendable (_ function: FunctionManifest, _ project: String, _ port: Int) -> [String: String]

  private let catalog: FunctionCatalog
  private let service: ReplayService
  private let port: Int
  private let makeEnvironment: MakeEnvironment
  private let sources = FunctionContext.Sources.system
  private let pools = Mutex<[PoolKey: FunctionPool]>([:])

  private init(
    _ catalog: FunctionCatalog,
    service: ReplayService,
    port: Int,
    makeEnvironment: @escaping MakeEnvironment
  ) {
    self.catalog = catalog
    self.service = service
    self.port = port
    self.makeEnvironment = makeEnvironment
  }

  /// Runs `body` with an engine that listens on a free port of loopback; its functions' processes
  /// have ended afterwards.
  package static func run<Result: Sendable>(
    _ catalog: FunctionCatalog,
    logger: Logger,
    makeEnvironment: @escaping MakeEnvironment,
    body: @Sendable (ReplayEngine) async throws -> Result
  ) async throws -> Result {
    let service = ReplayService()
    let (ports, ready) = AsyncStream<Int>.makeStream()
    let listener = HTTPListener(
      service,
      host: "127.0.0.1",
      port: 0,
      policy: RequestGuard(),
      logger: logger
    ) { ready.yield($0) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { ready.finish() }
        try await listener.run()
      }
      var engine: ReplayEngine?
      for await port in ports {
        engine = ReplayEngine(
          catalog,
          service: service,
          port: port,
          makeEnvironment: makeEnvironment
        )
        break
      }
      guard let engine else {
        // The listener's own error says why.
        try await group.waitForAll()
        throw CancellationError()
      }
      let result: Swift.Result<Result, any Error>
      do {
        result = .success(try await body(engine))
      } catch {
        result = .failure(error)
      }
      await engine.close()
      group.cancelAll()
      return try result.get()
    }
  }

  private func close() async {
    await withDiscardingTaskGroup { group in
      for pool in pools.withLock(\.self).values { group.addTask { await pool.close() } }
    }
  }

  /// The manifests of the functions there are, by name.
  package var manifests: [String: FunctionManifest] { catalog.functions.mapValues(\.manifest) }

  /// Requests of functions that carried no invocation's trace context; none belongs to a result.
  package var strayRequests: [String] { service.strayRequests }

  /// Runs a fixture's function on its event.
  ///
  /// - Throws: `NOT_FOUND` if there is no such function.
  package func replay(_ fixture: ReplayFixture) async throws(StatusError) -> ReplayResult {
    let pool = try pool(for: fixture)
    guard let event = try? JSON.encode(fixture.event) else {
      throw StatusError(.internal, "the event can't be encoded")
    }
    let run = try ReplayRun(fixture)
    // The run's own: of copies of a fixture, each has its requests.
    let traceparent = sources.newTraceparent()
    service.begin(run, traceparent: traceparent)
    defer { service.end(traceparent: traceparent) }
    let partials = Mutex<[JSONValue]>([])
    let result = await pool.invoke(eventID: fixture.invocationID) { timeout in
      var request = InvocationRequest(
        event: event,
        invocation: Invocation(
          id: fixture.invocationID,
          attempt: fixture.attempt,
          deadline: fixture.time.advanced(by: timeout - min(timeout / 10, .seconds(1))),
          traceparent: traceparent,
          time: fixture.time,
          streaming: fixture.isStreaming ? true : nil,
          fresh: true
        )
      )
      request.onPartial = { line in
        guard let partial = (try? JSONValue(parsing: line))?["partial"] else { return }
        partials.withLock { $0.append(partial) }
      }
      return request
    }
    return ReplayResult(
      outcome: ReplayOutcome(
        result,
        changes: try run.finalChanges(),
        partials: partials.withLock(\.self)
      ),
      refusals: run.refusals,
      unused: run.unused,
      queries: run.queries
    )
  }

  private func pool(for fixture: ReplayFixture) throws(StatusError) -> FunctionPool {
    guard var function = catalog.functions[fixture.function] else {
      throw StatusError(.notFound, "there is no function \(quoted(fixture.function))")
    }
    let key = PoolKey(
      function: fixture.function,
      project: fixture.project,
      environment: fixture.environment
    )
    return pools.withLock { pools in
      if let pool = pools[key] { return pool }
      function.command.environment = makeEnvironment(function.manifest, fixture.project, port)
        .merging(fixture.environment) { own, _ in own }
      let pool = FunctionPool(function, logs: LogStore())
      pools[key] = pool
      return pool
    }
  }
}

/// What came of a replay.
package struct ReplayResult: Sendable {
  package var outcome: ReplayOutcome
  /// One sentence for each request to a provider, and each document read, that wasn't recorded.
  package var refusals: [String]
  /// The recorded requests that nobody made, and the documents that nobody read.
  package var unused: [String]
  /// What was asked of collections.
  package var queries: [JSONValue]

  /// What is not as a fixture has it, a line each; none if all is.
  package func problems(with fixture: ReplayFixture) -> [String] {
    refusals + unused.map { "\($0) was recorded and not asked for" }
      + Difference.all(expected: fixture.expected.json, actual: outcome.json).map(\.description)
  }

  /// Whether providers and Firestore were asked just what was recorded.
  package var hasMatchedRequests: Bool { refusals.isEmpty && unused.isEmpty }
}
