/// The destination of one function's events: processes on this machine, or an HTTP endpoint.
package protocol FunctionTarget: Sendable {
  /// Waits until the function's concurrency limit permits another event, then runs the function. A
  /// failure of any kind is reported as a failed result.
  ///
  /// - Parameter request: Creates the request. It is called after the wait, because the request
  ///   contains the deadline. It returns `nil` if the event is no longer wanted; in that case the
  ///   function isn't run.
  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult

  /// Refuses new events, and waits until the invocations in progress have ended.
  func close() async
}
