import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import HTTPService
import Services

extension UIService {
  /// The response with the load and the statistics of all functions.
  var functionStatus: ServiceResponse {
    let counts = dispatcher.metrics.counts
    let savings = CacheSavings(counts: counts)
    let loads = dispatcher.loads
    let paused = dispatcher.pausedFunctions
    let functions = dispatcher.catalog.functions.values.sorted { $0.name < $1.name }
    return .json(
      functions.map { function in
        let counts = counts[function.name] ?? DeliveryMetrics.Counts()
        let load = loads[function.name] ?? FunctionLoad()
        return FunctionStatus(
          name: function.name,
          paused: paused.contains(function.name),
          waiting: load.waiting,
          running: load.running,
          concurrency: function.manifest.concurrency,
          processes: load.processes,
          attempts: Dictionary(uniqueKeysWithValues: counts.attempts.map { ("\($0)", $1) }),
          succeeded: counts.succeeded,
          skipped: counts.skipped,
          deadLettered: counts.deadLettered,
          latency: .init(counts.latencies),
          callLatency: .init(counts.callLatencies),
          usage: counts.usage,
          savedMicros: savings.micros(of: function.name)
        )
      }
    )
  }

  private struct FunctionSwitch: Codable {
    var paused: Bool
  }

  /// Pauses or resumes the deliveries of a function.
  func setFunction(_ name: String, _ request: ServiceRequest) throws(StatusError)
    -> ServiceResponse
  {
    let change = try members(of: request, ["paused"], FunctionSwitch.self)
    try dispatcher.setPaused(change.paused, function: name)
    return .json(change)
  }

  /// The result of a test.
  private struct TestRun: Encodable {
    var invocationId: String
    var exitCode: Int32
    var durationMs: Double
    /// The result line, or `nil` if there is no valid one.
    var output: JSONValue?
    var error: FunctionReply.Failure?
    /// The log entries so far. The last lines may arrive later, in the activity stream.
    var logs: [LogStore.Entry]
  }

  /// Runs a function's current build once. The run's writes stay, and a failure isn't retried.
  ///
  /// - Throws: `NOT_FOUND` if there is no such function; `INVALID_ARGUMENT` or
  ///   `FAILED_PRECONDITION` if no platform would send the input to the function.
  func test(
    _ name: String,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    guard let function = dispatcher.catalog.functions[name] else {
      throw StatusError(.notFound, "there is no function \(quoted(name))")
    }
    try function.manifest.check(input: request.body)
    let id = newID()
    let start = ContinuousClock.now
    let result = await dispatcher.call(function, event: request.body, id: id)
    let duration = ContinuousClock.now - start
    return .json(
      TestRun(
        invocationId: id,
        exitCode: result.exitCode,
        durationMs: (duration / .microseconds(1)).rounded() / 1_000,
        output: try? JSONValue(parsing: result.line),
        error: result.error.map(FunctionReply.Failure.init),
        logs: dispatcher.logs.entries(invocationID: id)
      )
    )
  }
}
