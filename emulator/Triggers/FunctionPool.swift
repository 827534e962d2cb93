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
package actor FunctionPool: FunctionTarget {
  private let function: InstalledFunction
  private let isolation: Isolation
  private let logs: LogStore
  private let processes = RunningProcesses()
  private var idle: [FunctionWorker] = []
  private var running = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false

  package init(_ function: InstalledFunction, isolation: Isolation, logs: LogStore) {
    self.function = function
    self.isolation = isolation
    self.logs = logs
  }

  package func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest
  ) async -> InvocationResult {
    await takePlace()
    defer { leavePlace() }
    guard !isClosed else { return .shuttingDown }
    let timeout = Duration.seconds(function.manifest.timeoutSeconds)
    let result = await run(request(timeout), timeout: timeout, eventID: eventID)
    // A process that was made to end has failed through no fault of its own.
    return isClosed && result.error != nil ? .shuttingDown : result
  }

  private func run(
    _ request: InvocationRequest,
    timeout: Duration,
    eventID: String
  ) async -> InvocationResult {
    guard function.manifest.worker, isolation == .worker else {
      return await FunctionProcess(function: function, logs: logs, processes: processes)
        .invoke(request, timeout: timeout, eventID: eventID)
    }
    do throws(StatusError) {
      let end = ContinuousClock.now + timeout
      let reused = idle.popLast()
      var worker: FunctionWorker
      if let reused { worker = reused } else { worker = try await startWorker(timeout: timeout) }
      var answer = await worker.invoke(request, timeout: timeout)
      // One that ended while nothing was asked of it says nothing about this event.
      if answer.isUnbegun, reused != nil, !isClosed {
        await worker.end()
        worker = try await startWorker(timeout: end - .now)
        answer = await worker.invoke(request, timeout: end - .now)
      }
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

  private func startWorker(timeout: Duration) async throws(StatusError) -> FunctionWorker {
    try await FunctionWorker(
      function,
      logs: logs,
      processes: processes,
      timeout: timeout
    )
  }

  /// Takes nothing more and ends all processes: those at work have some seconds for their answer.
  package func close() async {
    isClosed = true
    let (workers, waiting) = (idle, waiters)
    (idle, waiters) = ([], [])
    running += waiting.count
    for waiter in waiting { waiter.resume() }
    await processes.end()
    for worker in workers { await worker.end() }
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
