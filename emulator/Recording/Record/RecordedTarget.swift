import Core
import Delivery
import FunctionHost
import FunctionRuntime
import Synchronization

/// A target that invokes a function through another target and records each invocation.
struct RecordedTarget: FunctionTarget {
  let function: InstalledFunction
  let target: any FunctionTarget
  let recorder: InvocationRecorder

  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult {
    guard recorder.isRecording else {
      return await target.invoke(eventID: eventID, request: request)
    }
    let made = Mutex<InvocationRequest?>(nil)
    let result = await target.invoke(eventID: eventID) { timeout in
      guard var request = request(timeout) else { return nil }
      // A worker's caches from other invocations would make the recording incomplete.
      request.invocation.fresh = true
      recorder.begin(function, request)
      made.withLock { $0 = request }
      return request
    }
    if let request = made.withLock(\.self) { recorder.end(request, result) }
    return result
  }

  func close() async { await target.close() }
}
