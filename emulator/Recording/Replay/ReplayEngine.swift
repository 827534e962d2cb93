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

/// The engine that runs functions on recorded invocations. The functions reach only the recorded
/// documents and responses.
package final class ReplayEngine: Sendable {
  /// The properties that fixtures have in common if they share worker processes.
  private struct PoolKey: Hashable {
    var function: String
    var project: String
    var environment: [String: String]
  }

  /// A closure that returns a function's environment variables for a project. All services are at
  /// the given port.
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

  /// Runs `body` with an engine that listens on a free loopback port. Ends the functions' processes
  /// before it returns.
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
        // The listener's error gives the reason.
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

  /// The manifests of the installed functions, by name.
  package var manifests: [String: FunctionManifest] { catalog.functions.mapValues(\.manifest) }

  /// The requests without the trace context of an invocation. No replay's result includes them.
  package var strayRequests: [String] { service.strayRequests }

  /// Runs a fixture's function on its event.
  ///
  /// - Throws: `NOT_FOUND` if there is no such function.
  package func replay(_ fixture: ReplayFixture) async throws(StatusError) -> ReplayResult {
    let pool = try pool(for: fixture)
    guard let event = try? JSON.encode(fixture.event) else {
      throw StatusError(.internal, "the event can't be encoded as JSON")
    }
    let run = try ReplayRun(fixture)
    // Every run has its own trace context, so that copies of a fixture can run at the same time.
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

/// The result of a replay.
package struct ReplayResult: Sendable {
  package var outcome: ReplayOutcome
  /// The descriptions of provider requests and reads that weren't recorded, one sentence each.
  package var refusals: [String]
  /// The recorded requests that weren't made, and the recorded documents that weren't read.
  package var unused: [String]
  /// The queries of the function.
  package var queries: [JSONValue]

  /// Returns the differences from a fixture, a line each; empty if there are none.
  package func problems(with fixture: ReplayFixture) -> [String] {
    refusals + unused.map { "\($0) was recorded but not requested" }
      + Difference.all(expected: fixture.expected.json, actual: outcome.json).map(\.description)
  }

  /// A Boolean value that indicates whether the requests to providers and Firestore match the
  /// recorded ones.
  package var hasMatchedRequests: Bool { refusals.isEmpty && unused.isEmpty }
}
