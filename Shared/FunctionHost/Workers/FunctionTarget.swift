/// Where the deliveries of one function go: processes on this machine, or an HTTP endpoint.
package protocol FunctionTarget: Sendable {
  /// Waits for a free place, then runs. Always answers: what goes wrong is a failed result.
  ///
  /// - Parameter request: made when the place is free, so that its deadline is right; nil if nobody
  ///   wants it any more, and nothing is run.
  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult

  /// Takes nothing more, and returns when what is under way has ended.
  func close() async
}
