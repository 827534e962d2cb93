/// The target of one function's deliveries: processes on this machine, or an HTTP endpoint.
package protocol FunctionTarget: Sendable {
  /// Waits for a permit, then runs the function. Every failure is a failed result.
  ///
  /// - Parameter request: Creates the request once there is a permit, so that its deadline is
  ///   right. It returns `nil` if the event is no longer wanted; then nothing is run.
  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult

  /// Refuses new events, and waits until the invocations in progress have ended.
  func close() async
}
