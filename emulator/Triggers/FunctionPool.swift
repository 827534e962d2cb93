import FunctionRuntime
import RPCStatus

/// How functions that can be workers are run.
package enum Isolation: String, Sendable, CaseIterable {
  /// Processes that live on and answer one event after the other.
  case worker
  /// A process per event.
  case process
}

/// The processes of one function, as many at once as its manifest allows.
actor FunctionPool {
  private let function: InstalledFunction
  private let isolation: Isolation
  private let logs: LogStore
  private var idle: [FunctionWorker] = []
  private var running = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false

  init(_ function: InstalledFunction, isolation: Isolation, logs: LogStore) {
    self.function = function
    self.isolation = isolation
    self.logs = logs
  }

  /// Waits for a free place, then runs.
  ///
  /// - Parameter request: made when the place is free, so that its deadline is right.
  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest
  ) async -> InvocationResult {
    await takePlace()
    defer { leavePlace() }
    let timeout = Duration.seconds(function.manifest.timeoutSeconds)
    let request = request(timeout)
    guard function.manifest.worker, isolation == .worker else {
      return await FunctionProcess(function: function, logs: logs)
        .invoke(request, timeout: timeout, eventID: eventID)
    }
    do throws(StatusError) {
      var worker = idle.popLast()
      if worker == nil { worker = try await FunctionWorker(function, logs: logs, timeout: timeout) }
      guard let worker else { throw StatusError(.internal, "no worker") }
      let answer = await worker.invoke(request, timeout: timeout)
      if answer.isUsable, !isClosed {
        idle.append(worker)
      } else {
        await worker.end()
      }
      return answer.result
    } catch {
      return InvocationResult(error, exitCode: ExitCode.bug.rawValue)
    }
  }

  /// Ends the idle workers, and those at work once they have answered.
  func close() async {
    isClosed = true
    let workers = idle
    idle = []
    await withDiscardingTaskGroup { group in
      for worker in workers { group.addTask { await worker.end() } }
    }
  }

  private func takePlace() async {
    if running < max(1, function.manifest.concurrency) {
      running += 1
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  private func leavePlace() {
    if waiters.isEmpty {
      running -= 1
    } else {
      waiters.removeFirst().resume()
    }
  }
}
