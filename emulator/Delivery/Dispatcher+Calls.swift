package import Core
import FirestoreModel
package import FunctionHost
import FunctionRuntime
import Synchronization

extension Dispatcher {
  /// Calls a function once and returns its result.
  ///
  /// - Parameters:
  ///   - event: A callable request, `{"data":…}`, or a bare body.
  ///   - id: The invocation's id, or `nil` for a new one.
  ///   - onPartial: Takes the lines with partial results, `{"eventId","partial"}`, before the call
  ///     returns; `nil` for a call without streaming.
  package func call(
    _ function: InstalledFunction,
    event: Data,
    id: String? = nil,
    onPartial: (@Sendable (_ line: Data) -> Void)? = nil
  ) async -> InvocationResult {
    guard let target = state.withLock({ $0.targets[function.name] }) else {
      return InvocationResult(
        StatusError(.notFound, "there is no function \(quoted(function.name))"),
        exitCode: ExitCode.bug.rawValue
      )
    }
    let id = id ?? sources.newID()
    let started = sources.now()
    calls.begin(FunctionCall(id: id, function: function.name, event: event, started: started))
    let traceparent = sources.newTraceparent()
    let result = await target.invoke(eventID: id) { timeout in
      let invoker = Invoker(function: function.name, invocation: id, resource: nil)
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
    // Configuration errors are logged, since callers don't see them.
    if let error = result.error, error.fault == .configuration {
      log(error, of: function.name, eventID: id, exitCode: result.exitCode)
    }
    return result
  }
}
