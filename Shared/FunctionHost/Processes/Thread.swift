import Core

/// Runs `body` on a thread of its own, for calls that block.
///
/// - Throws: RESOURCE_EXHAUSTED when the system gives no thread; `body` then doesn't run.
func startThread(_ body: @escaping @Sendable () -> Void) throws(StatusError) {
  let error = DetachedThread.start(stackSize: 256 * 1024, body)
  guard error == 0 else {
    throw StatusError(.resourceExhausted, "no thread: \(systemMessage(error))")
  }
}
