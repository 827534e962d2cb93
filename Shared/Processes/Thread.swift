import CProcess
import RPCStatus

/// Runs `body` on a thread of its own, for calls that block.
///
/// - Throws: RESOURCE_EXHAUSTED when the system gives no thread; `body` then doesn't run.
func startThread(_ body: @escaping @Sendable () -> Void) throws(StatusError) {
  let body = Unmanaged.passRetained(ThreadBody(run: body))
  let error = cprocess_start_thread(
    { argument in
      if let argument {
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
      }
      return nil
    },
    body.toOpaque()
  )
  guard error == 0 else {
    body.release()
    throw StatusError(.resourceExhausted, "no thread: \(systemMessage(error))")
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
