import CloudEvents
import Core
import Cryptography
import FirestoreModel
import FunctionHost
import FunctionRuntime
import GoogleAuth
import HTTPService
import Synchronization

/// The HTTP service of one function.
///
/// Every path leads to the function, except for a few that platforms request.
struct FunctionService: HTTPService {
  let name = "serve"
  /// The maximum size in bytes of a body that is handled on the connection's own event loop.
  private static let briefBytes = 64 << 10

  private let function: FunctionManifest
  private let settings: ServeSettings
  private let pool: FunctionPool
  private let queue: Int
  /// The verifier of callers' tokens, or `nil` if tokens can't be verified.
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

  func runsOnEventLoop(_ request: ServiceRequest) -> Bool { request.body.count <= Self.briefBytes }

  func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case (_, ["robots.txt"]), (_, ["favicon.ico"]): throw absent(request)
    case ("GET", ["healthz"]): return health
    case ("GET", ["metrics"]):
      guard settings.showsMetrics else { throw absent(request) }
      return ServiceResponse(
        headers: [("content-type", PrometheusText.contentType)],
        body: Data(metrics.prometheusText(pool).utf8)
      )
    case ("POST", _): return await answer(request)
    default:
      let error = StatusError(
        .unimplemented,
        "\(request.method) is not supported: POST an event or a call"
      )
      noteRefusal(error, status: 405, headers: request.headers)
      var response = ServiceResponse.error(error, status: 405)
      response.headers.append(("allow", "POST"))
      return response
    }
  }

  /// Counts and logs a request that was refused before its kind was known.
  func noteRefusal(_ error: StatusError, status: Int, headers: [String: String]) {
    metrics.refuse(status: status)
    requestLog.writeRefusal(error, kind: RequestKind.unknown, status: status, headers: headers)
  }

  /// Counts a request for a path that isn't served, and returns the error NOT_FOUND. The request
  /// isn't logged, because browsers and monitors send many of this kind.
  private func absent(_ request: ServiceRequest) -> StatusError {
    let error = notFound(request)
    metrics.refuse(status: error.code.httpStatus)
    return error
  }

  private var health: ServiceResponse {
    lifecycle.isDraining ? .text("draining\n", status: 503) : .text("ok\n")
  }

  // MARK: Requests

  private func answer(_ request: ServiceRequest) async -> ServiceResponse {
    let start = ContinuousClock.now
    metrics.begin()
    let (kind, response) = await answer(request, since: start)
    if response.stream == nil {
      metrics.end(kind: kind.name, status: response.status, after: .now - start)
    } else {
      // `answerCall` counts a stream when it is sent. If the client has disconnected, the stream
      // isn't sent.
      metrics.forget()
    }
    return response
  }

  /// Answers an event or a call.
  ///
  /// If the server accepts only calls, the token is verified before the body is parsed.
  private func answer(
    _ request: ServiceRequest,
    since start: ContinuousClock.Instant
  ) async -> (RequestKind, ServiceResponse) {
    let announced = RequestKind(announcedBy: request)
    if lifecycle.isDraining { return (announced, refuse(request, announced, Lifecycle.refusal)) }
    var caller: CallerIdentity?
    var kind = announced
    if case .call = announced {
      do throws(StatusError) {
        if !settings.takesEvents { caller = try await verifiedCaller(of: request) }
      } catch {
        return (announced, refuse(request, announced, error, told: toldInPlace(of: error)))
      }
      kind = RequestKind(ofBody: request.body)
    }
    switch kind {
    case .event: return (kind, await answerEvent(request, since: start))
    case .call(let form):
      return (kind, await answerCall(request, form, from: caller, since: start))
    }
  }

  /// Returns the response to a request that is refused without an invocation, and logs it.
  ///
  /// - Parameters:
  ///   - status: the HTTP status, if it differs from the one of the error's code.
  ///   - told: the error that the caller gets, or `nil` if the caller gets `error`.
  private func refuse(
    _ request: ServiceRequest,
    _ kind: RequestKind,
    _ error: StatusError,
    status: Int? = nil,
    told: StatusError? = nil
  ) -> ServiceResponse {
    let response =
      switch kind {
      case .event: ServiceResponse.error(error, status: status)
      case .call(let form): CallResponse.refusal(of: form, told ?? error, to: request)
      }
    requestLog.writeRefusal(
      error,
      kind: kind.name,
      status: response.status,
      headers: request.headers,
      isOurs: told != nil
    )
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
        throw StatusError(.notFound, "\(function.name) accepts calls here, not events")
      }
      event = try ReceivedEvent(request)
      json =
        settings.signature == .event ? try event.firstGeneration() : try event.cloudEvent().json
    } catch {
      // An unsupported format gets 415, because UNIMPLEMENTED's own status, 501, would blame the
      // server.
      return refuse(request, .event, error, status: error.code == .unimplemented ? 415 : nil)
    }
    let outcome = await invoke(
      json,
      eventID: event.id,
      parent: TraceNames.parent(of: request.headers, event: event.traceparent)
    )
    let response = EventResponse.answer(outcome.result, of: function.name)
    log(RequestKind.event.name, response.status, outcome, since: start, event: event)
    return response
  }

  // MARK: Calls

  /// Answers a call.
  ///
  /// - Parameter caller: the verified caller, if the server accepts only calls.
  private func answerCall(
    _ request: ServiceRequest,
    _ form: CallRequest.Form,
    from caller: CallerIdentity?,
    since start: ContinuousClock.Instant
  ) async -> ServiceResponse {
    let event: Data
    do throws(StatusError) {
      guard settings.takesCalls else {
        throw StatusError(.notFound, "\(function.name) accepts events here, not calls")
      }
      guard function.callable else {
        throw StatusError(.notFound, "\(function.name) is not callable")
      }
      let caller = try await settings.takesEvents ? verifiedCaller(of: request) : caller
      event = try CallRequest(request, form: form, caller: caller).event
    } catch {
      return refuse(request, .call(form), error, told: toldInPlace(of: error))
    }
    let kind = RequestKind.call(form).name
    let parent = TraceNames.parent(of: request.headers)
    if form == .callable, StreamingCall.isWanted(by: request) {
      if let error = busy { return refuse(request, .call(form), error) }
      return StreamingCall(of: function.name) { onPartial in
        metrics.begin()
        let outcome = await invoke(event, eventID: nil, parent: parent, onPartial: onPartial)
        let result = outcome.result.toCaller(of: function.name)
        // The status sent was 200; the stream's end has the call's outcome.
        let status = result.error?.toCaller(of: function.name).code.httpStatus ?? 200
        log(kind, status, outcome, since: start)
        metrics.end(kind: kind, status: status, after: .now - start)
        return result
      }.response
    }
    let outcome = await invoke(event, eventID: nil, parent: parent)
    let result = outcome.result.toCaller(of: function.name)
    let response = CallResponse.answer(to: form, result, of: function.name)
    log(kind, response.status, outcome, since: start)
    return response
  }

  /// Returns the error to show a caller whose token can't be verified.
  ///
  /// - Parameter error: The original error. It may name internal addresses and files, so the caller
  ///   sees it only if the caller is at fault.
  /// - Returns: The error to show instead, or `nil` to show the original error.
  private func toldInPlace(of error: StatusError) -> StatusError? {
    if error.fault == .configuration { return error.toCaller(of: function.name) }
    guard error.code.httpStatus >= 500 else { return nil }
    let message = "tokens can't be verified now; try again"
    return StatusError(error.code, message, retryAfter: error.retryAfter)
  }

  private func verifiedCaller(of request: ServiceRequest) async throws(StatusError)
    -> CallerIdentity?
  {
    try request.refuseRepeated("authorization", "x-firebase-appcheck")
    guard let callerVerifier else {
      guard request.headers["authorization"] == nil else {
        throw StatusError(
          .unauthenticated,
          "this server can't verify tokens: call without a token"
        )
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

  /// The error that refuses an invocation while the queue is full, or `nil` if there is room.
  private var busy: StatusError? {
    guard pool.busyCount >= function.concurrency, pool.waitingCount >= queue else { return nil }
    return StatusError(
      .resourceExhausted,
      "\(function.name) is busy: \(function.concurrency) invocations run and \(queue) wait",
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
    let isLate = Atomic(false)
    var result = await pool.invoke(eventID: eventID ?? id) { timeout in
      // After waiting this long for a worker, the invocation can't finish in time.
      guard arrival.duration(to: .now) < timeout else {
        isLate.store(true, ordering: .relaxed)
        return nil
      }
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
    if isLate.load(ordering: .relaxed) {
      let words = "\(function.name) had no time for the request: too many invocations are waiting"
      result = InvocationResult(
        StatusError(.deadlineExceeded, words, retryAfter: .seconds(1)),
        exitCode: ExitCode.tryAgain.rawValue
      )
    }
    // The shutdown interrupted the invocation; another instance may handle it.
    if lifecycle.isOver, result.error != nil, result.line.isEmpty {
      result = InvocationResult(Lifecycle.refusal, exitCode: ExitCode.tryAgain.rawValue)
    }
    return Outcome(result: result, invocationID: id, traceparent: traceparent)
  }

  /// Logs an invocation, and adds what it reported to the metrics.
  private func log(
    _ kind: String,
    _ status: Int,
    _ outcome: Outcome,
    since start: ContinuousClock.Instant,
    event: ReceivedEvent? = nil
  ) {
    metrics.add(outcome.result)
    requestLog.write(
      RequestLog.Entry(
        kind: kind,
        status: status,
        duration: .now - start,
        invocationID: outcome.invocationID,
        traceparent: outcome.traceparent,
        eventID: event?.id,
        eventType: event?.type,
        result: outcome.result
      )
    )
  }
}
