package import Core
import FirestoreModel
package import Logging

/// A runner that decodes an input, calls a function's handler, and creates the reply. All modes of
/// the process and the tests use it.
package struct FunctionRunner<Handler: Function>: Sendable {
  /// The maximum size of an event on stdin in bytes.
  package static var maximumEventBytes: Int { 10 * 1024 * 1024 }

  package let manifest: FunctionManifest
  private let handler: Result<Handler, StatusError>
  private let sources: FunctionContext.Sources
  private let logger: Logger

  /// Creates a runner and its handler.
  ///
  /// If the handler's initializer throws an error, the runner keeps the error and reports it for
  /// each event.
  ///
  /// - Throws: A configuration error if the manifest can't be created.
  package init(
    configuration: Configuration,
    sources: FunctionContext.Sources = .system,
    logger: Logger
  ) throws {
    manifest = try Handler.manifest(configuration)
    handler = Result {
      _ = try configuration.logLevel()
      return try Handler(configuration: configuration)
    }
    .mapError { $0 as? StatusError ?? .configuration(.internal, "\($0)") }
    self.sources = sources
    self.logger = logger
  }

  /// The error of the handler's initializer, or `nil` if it succeeded.
  package var configurationError: StatusError? {
    if case .failure(let error) = handler { error } else { nil }
  }

  /// The executor on which the process runs the function, or `nil` for the default one.
  var executor: (any FunctionExecutor)? {
    if case .success(let handler) = handler { handler.executor } else { nil }
  }

  /// Handles one event. Every failure is reported in the reply.
  package func reply(to input: Data, invocation: Invocation) async -> FunctionReply {
    let clock = ContinuousClock()
    let start = clock.now
    var reply: FunctionReply
    do throws(StatusError) {
      guard input.count <= Self.maximumEventBytes else { throw Self.tooLarge }
      let event = try JSON.decode(
        IncomingEvent<Handler.Call>.self,
        from: input,
        what: "the event"
      )
      reply = await self.reply(to: event, invocation: invocation)
    } catch {
      reply = FunctionReply(function: manifest.name, eventID: invocation.id, error: error)
    }
    reply.duration = clock.now - start
    return reply
  }

  package static var tooLarge: StatusError {
    StatusError(.invalidArgument, "the event is larger than 10 MiB")
  }

  /// Handles a decoded event.
  ///
  /// - Parameter onPartial: Called with the handler's partial results and the event's ID.
  func reply(
    to event: IncomingEvent<Handler.Call>,
    invocation: Invocation,
    onPartial: (@Sendable (PartialReply) -> Void)? = nil
  ) async -> FunctionReply {
    var context = context(for: event, invocation: invocation)
    if let onPartial {
      context.onPartial = { [id = context.eventID] in
        onPartial(PartialReply(eventID: id, partial: $0))
      }
    }
    var reply: FunctionReply
    do {
      let outcome = try await outcome(of: event, context: context)
      reply = FunctionReply(function: manifest.name, eventID: context.eventID, outcome: outcome)
      reply.messageLatencies = context.record.latencies
    } catch {
      var failure = error as? StatusError ?? StatusError(.internal, "\(type(of: error))")
      context.logger.error(
        "invocation failed",
        metadata: ["code": "\(failure.code.rawValue)", "error": "\(failure.message)"]
      )
      if case .call = event, failure.isOthersWords {
        failure.message =
          "a request of \(manifest.name) to another service was refused; the log says more"
      }
      reply = FunctionReply(function: manifest.name, eventID: context.eventID, error: failure)
    }
    reply.writes = context.record.writes
    reply.usage = context.record.usage
    if case .change(let change) = event {
      reply.latency = max(.zero, context.sources.now().duration(since: change.time))
    }
    return reply
  }

  private func outcome(
    of event: IncomingEvent<Handler.Call>,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    switch event {
    case .other(_, let type):
      return .skipped(reason: "\(manifest.name) does not handle events of type \(quoted(type))")
    case .change(let change):
      switch try manifest.match(change) {
      case .refused(let reason): return .skipped(reason: reason)
      case .taken(_, let captures):
        try checkDeadline(context)
        let handler = try handler.get()
        return switch change {
        case .document(let event):
          try await handler.handle(
            TriggeredEvent(event: event, captures: captures),
            context: context
          )
        case .reference(let event):
          try await handler.handle(
            TriggeredReference(event: event, captures: captures),
            context: context
          )
        case .object(let event):
          try await handler.handle(
            TriggeredObject(event: event, captures: captures),
            context: context
          )
        }
      }
    case .call(let call, let caller):
      guard manifest.callable else {
        throw StatusError(
          .invalidArgument,
          "the input is neither a CloudEvent nor a first-generation event, and \(manifest.name) is "
            + "not callable"
        )
      }
      try checkDeadline(context)
      return try await handler.get().handle(call, caller: caller, context: context)
    }
  }

  private func checkDeadline(_ context: FunctionContext) throws(StatusError) {
    guard context.deadline > .now else {
      throw StatusError(.deadlineExceeded, "the invocation's deadline has passed")
    }
  }

  private func context(
    for event: IncomingEvent<Handler.Call>,
    invocation: Invocation
  ) -> FunctionContext {
    let id = invocation.id ?? sources.newID()
    let sources = invocation.time.map { .fixed(at: $0, seed: id) } ?? sources
    let traceparent = traceparent(of: event, invocation, sources)
    let timeLeft =
      invocation.deadline.map { $0.duration(since: sources.now()) }
      ?? .seconds(manifest.timeoutSeconds)
    var logger = logger
    let eventID = event.id ?? id
    logger[metadataKey: "eventId"] = "\(eventID)"
    if let trace = FunctionContext.Sources.traceID(of: traceparent) {
      logger[metadataKey: "logging.googleapis.com/trace"] = "\(trace)"
    }
    var context = FunctionContext(
      function: manifest.name,
      eventID: eventID,
      invocationID: id,
      attempt: invocation.attempt ?? 1,
      deadline: .now + timeLeft,
      traceparent: traceparent,
      sources: sources,
      logger: logger
    )
    context.isFresh = invocation.fresh ?? false
    return context
  }

  /// Returns the trace context that the dispatcher passed. If there is none, returns a new one in
  /// the event's trace.
  ///
  /// A malformed trace context is ignored, as W3C's specification requires. If it were sent as a
  /// header, every request could fail.
  private func traceparent(
    of event: IncomingEvent<Handler.Call>,
    _ invocation: Invocation,
    _ sources: FunctionContext.Sources
  ) -> String {
    if let given = invocation.traceparent, FunctionContext.Sources.traceID(of: given) != nil {
      return given
    }
    let parent: String? = if case .change(let event) = event { event.traceparent } else { nil }
    return sources.newTraceparent(in: parent)
  }
}
