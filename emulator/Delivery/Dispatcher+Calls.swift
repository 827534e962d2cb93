package import Core
import FirestoreModel
package import FunctionHost
import FunctionRuntime
import Synchronization

extension Dispatcher {
  /// Runs a callable function once and returns what it printed.
  ///
  /// - Parameters:
  ///   - event: a callable request, `{"data":…}`, or a bare body.
  ///   - id: the invocation's; nil for a new one.
  ///   - onPartial: gets the lines with partial results, `{"eventId","partial"}`, before the call
  ///     returns; nil if nobody wants to know.
  package func call(
    _ function: InstalledFunction,
    event: Data,
    id: String? = nil,
    onPartial: (@Sendable (_ line: Data) -> Void)? = nil
  ) async -> InvocationResult {
    guard let target = state.withLock({ $0.targets[function.name] }) else {
      return InvocationResult(
        StatusError(.notFound, "no function \(quoted(function.name))"),
        exitCode: ExitCode.bug.rawValue
      )
    }
    let id = id ?? sources.newID()
    let started = sources.now()
    calls.begin(FunctionCall(id: id, function: function.name, event: event, started: started))
    let traceparent = sources.newTraceparent()
    let result = await target.invoke(eventID: id) { timeout in
      let invoker = Invoker(function: function.name, invocation: id, document: nil)
      self.state.withLock { state in
        state.spans.add(traceparent, of: [invoker])
        state.running.begin(traceparent, of: [invoker])
      }
      var request = InvocationRequest(
        event: event,
        invocation: Invocation(
          id: id,
          attempt: 1,
          deadline: self.sources.now().advanced(by: TimeLimit.told(of: timeout)),
          traceparent: traceparent,
          streaming: onPartial == nil ? nil : true
        )
      )
      request.onPartial = onPartial
      return request
    }
    state.withLock { $0.running.end(traceparent, of: function.name) }
    let ended = sources.now()
    calls.end(id, result, at: ended)
    metrics.count(
      callAnsweredBy: result,
      of: function.name,
      latency: ended.duration(since: started)
    )
    // The one failure that the caller isn't told.
    if let error = result.error, error.fault == .configuration {
      log(error, of: function.name, eventID: id, exitCode: result.exitCode)
    }
    return result
  }
}
