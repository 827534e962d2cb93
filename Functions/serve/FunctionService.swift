import Calls
import CloudEvents
import FirestoreModel
import FunctionRuntime
import HTTPService
import IDTokens
import JSONCoding
import Platform
import RPCStatus
import Workers

/// One function over HTTP: every path is the function's, but for a few that platforms ask for.
struct FunctionService: HTTPService {
  let name = "serve"
  /// A body up to this size is read and answered on its connection's own thread.
  private static let briefBytes = 64 << 10

  private let function: FunctionManifest
  private let settings: ServeSettings
  private let pool: FunctionPool
  private let queue: Int
  /// nil: no token can be verified.
  private let callerVerifier: CallerVerifier?
  private let requestLog: RequestLog
  private let lifecycle: Lifecycle
  private let metrics = ServeMetrics()
  private let sources = FunctionContext.Sources.system

  init(
    function: FunctionManifest,
    settings: ServeSettings,
    pool: FunctionPool,
    callerVerifier: CallerVerifier?,
    requestLog: RequestLog,
    lifecycle: Lifecycle
  ) {
    self.function = function
    self.settings = settings
    self.pool = pool
    queue = settings.queue ?? 4 * function.concurrency
    self.callerVerifier = callerVerifier
    self.requestLog = requestLog
    self.lifecycle = lifecycle
  }

  func isBrief(_ request: ServiceRequest) -> Bool { request.body.count <= Self.briefBytes }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case (_, ["robots.txt"]), (_, ["favicon.ico"]): throw notFound(request)
    case ("GET", ["healthz"]): return health
    case ("GET", ["metrics"]):
      guard settings.showsMetrics else { throw notFound(request) }
      var response = ServiceResponse.text(MetricsPage(metrics, pool).text)
      response.headers = [("content-type", MetricsPage.contentType)]
      return response
    case ("POST", _): return await answer(request)
    default:
      let error = StatusError(
        .unimplemented,
        "\(request.method) is not answered here; POST an event or a call"
      )
      requestLog.writeRefusal(error, status: 405, headers: request.headers)
      var response = ServiceResponse.error(error, status: 405)
      response.headers.append(("allow", "POST"))
      return response
    }
  }

  private var health: ServiceResponse {
    lifecycle.isDraining ? .text("draining\n", status: 503) : .text("ok\n")
  }

  // MARK: Requests

  private func answer(_ request: ServiceRequest) async -> ServiceResponse {
    let start = ContinuousClock.now
    metrics.begin()
    let kind = RequestKind(request)
    var response =
      switch kind {
      case _ where lifecycle.isDraining: refuse(request, kind, Lifecycle.refusal)
      case .event: await answerEvent(request, since: start)
      case .call(let form): await answerCall(request, form, since: start)
      }
    if response.stream == nil {
      metrics.end(kind: kind.name, status: response.status, after: .now - start)
    } else {
      // It begins when it is sent, if its client is still there.
      metrics.forget()
    }
    // Whoever asks again is to ask another instance.
    if lifecycle.isDraining { response.headers.append(("connection", "close")) }
    return response
  }

  /// The answer to what doesn't come to an invocation.
  ///
  /// - Parameter status: where it says more than the code's own.
  private func refuse(
    _ request: ServiceRequest,
    _ kind: RequestKind,
    _ error: StatusError,
    status: Int? = nil
  ) -> ServiceResponse {
    let response =
      switch kind {
      case .event: ServiceResponse.error(error, status: status)
      case .call(let form): CallAnswer.refusal(of: form, error)
      }
    requestLog.writeRefusal(error, kind: kind, status: response.status, headers: request.headers)
    return response
  }

  // MARK: Events

  private func answerEvent(
    _ request: ServiceRequest,
    since start: ContinuousClock.Instant
  ) async -> ServiceResponse {
    let event: ReceivedEvent
    let json: Data
    do throws(StatusError) {
      guard settings.takesEvents else {
        throw StatusError(.notFound, "\(function.name) takes calls here, no events")
      }
      event = try ReceivedEvent(request)
      json =
        settings.signature == .event ? try event.firstGeneration() : try event.cloudEvent()
    } catch {
      // What is no event we know is the sender's fault; a form that isn't taken has a status.
      return refuse(request, .event, error, status: error.code == .unimplemented ? 415 : nil)
    }
    var parent = request
    parent.headers["traceparent"] = event.traceparent ?? request.headers["traceparent"]
    let outcome = await invoke(
      json,
      eventID: event.id,
      parent: TraceNames.parent(of: parent.headers)
    )
    let response = EventAnswer.answer(outcome.result, of: function.name)
    log("event", response.status, outcome, since: start, event: event)
    return response
  }

  // MARK: Calls

  private func answerCall(
    _ request: ServiceRequest,
    _ form: CallRequest.Form,
    since start: ContinuousClock.Instant
  ) async -> ServiceResponse {
    let event: Data
    do throws(StatusError) {
      guard settings.takesCalls else {
        throw StatusError(.notFound, "\(function.name) takes events here, no calls")
      }
      guard function.callable else {
        throw StatusError(.notFound, "\(function.name) is not callable")
      }
      let caller = try await caller(of: request)
      event = try CallRequest(request, form: form, caller: caller).event
    } catch {
      return refuse(request, .call(form), error)
    }
    let kind = RequestKind.call(form).name
    let parent = TraceNames.parent(of: request.headers)
    if form == .callable, request.headers["accept"] == "text/event-stream" {
      if let error = busy { return refuse(request, .call(form), error) }
      return StreamingCall(of: function.name) { onPartial in
        metrics.begin()
        let outcome = await invoke(event, eventID: nil, parent: parent, onPartial: onPartial)
        // The status that went out was 200: it is the stream's end that says what became of it.
        let status = outcome.result.error?.toCaller(of: function.name).code.httpStatus ?? 200
        log(kind, status, outcome, since: start)
        metrics.end(kind: kind, status: status, after: .now - start)
        return outcome.result.toCaller(of: function.name)
      }.response
    }
    let outcome = await invoke(event, eventID: nil, parent: parent)
    let result = outcome.result.toCaller(of: function.name)
    let response = CallAnswer.answer(to: form, result, of: function.name)
    log(kind, response.status, outcome, since: start)
    return response
  }

  private func caller(of request: ServiceRequest) async throws(StatusError) -> CallerIdentity? {
    try request.refuseRepeated("authorization", "x-firebase-appcheck")
    guard let callerVerifier else {
      guard request.headers["authorization"] == nil else {
        throw StatusError(.unauthenticated, "no token can be verified here; call without one")
      }
      return nil
    }
    let caller = try await callerVerifier.caller(of: request.headers)
    guard caller != nil || !settings.needsTokens else {
      throw StatusError(.unauthenticated, "a call needs an ID token: Authorization: Bearer …")
    }
    return caller
  }

  // MARK: Invocations

  private struct Outcome {
    var result: InvocationResult
    var invocationID: String
    var traceparent: String
  }

  /// Why nothing more is taken just now; nil if it is.
  private var busy: StatusError? {
    guard pool.busyCount >= function.concurrency, pool.waitingCount >= queue else { return nil }
    return StatusError(
      .resourceExhausted,
      "\(function.name) has \(function.concurrency) invocations under way and \(queue) waiting",
      retryAfter: .seconds(1)
    )
  }

  private func invoke(
    _ event: Data,
    eventID: String?,
    parent: String?,
    onPartial: (@Sendable (_ line: Data) -> Void)? = nil
  ) async -> Outcome {
    let id = sources.newID()
    let traceparent = sources.newTraceparent(in: parent)
    if let busy {
      let result = InvocationResult(busy, exitCode: ExitCode.tryAgain.rawValue)
      return Outcome(result: result, invocationID: id, traceparent: traceparent)
    }
    let arrival = ContinuousClock.now
    var result = await pool.invoke(eventID: eventID ?? id) { timeout in
      // Who has waited for a worker for so long is answered by nobody in time.
      guard arrival.duration(to: .now) < timeout else { return nil }
      var request = InvocationRequest(
        event: event,
        invocation: Invocation(
          id: id,
          deadline: sources.now().advanced(by: TimeLimit.told(of: timeout)),
          traceparent: traceparent,
          streaming: onPartial == nil ? nil : true
        )
      )
      request.onPartial = onPartial
      return request
    }
    // It was cut off: another instance may take it up.
    if lifecycle.isOver, result.error != nil, result.line.isEmpty {
      result = InvocationResult(Lifecycle.refusal, exitCode: ExitCode.tryAgain.rawValue)
    }
    return Outcome(result: result, invocationID: id, traceparent: traceparent)
  }

  private func log(
    _ kind: String,
    _ status: Int,
    _ outcome: Outcome,
    since start: ContinuousClock.Instant,
    event: ReceivedEvent? = nil
  ) {
    requestLog.write(
      RequestLog.Entry(
        kind: kind,
        status: status,
        duration: .now - start,
        invocationID: outcome.invocationID,
        traceparent: outcome.traceparent,
        eventID: event?.id,
        eventType: event?.type,
        error: outcome.result.error
      )
    )
  }
}
