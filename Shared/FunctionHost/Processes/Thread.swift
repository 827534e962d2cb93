import Core

/// Runs `body`, which may block, on a new thread.
///
/// - Throws: RESOURCE_EXHAUSTED when the system can't create a thread. In that case `body` doesn't
///   run.
func startThread(_ body: @escaping @Sendable () -> Void) throws(StatusError) {
  let error = DetachedThread.start(stackSize: 256 * 1024, body)
  guard error == 0 else {
    throw StatusError(.resourceExhausted, "can't start a thread: \(systemMessage(error))")
  }
}
