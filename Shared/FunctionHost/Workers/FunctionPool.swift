package import Core
package import FunctionRuntime
import Synchronization

/// The way in which a function that supports worker mode is run.
package enum Isolation: String, Sendable, CaseIterable {
  /// A process handles one event after another.
  case worker
  /// Each event gets a new process, which is started before the event arrives.
  case process
}

/// A pool of one function's processes. The function's manifest limits how many events are handled
/// at once.
package final class FunctionPool: FunctionTarget {
  package struct Settings: Sendable {
    package var isolation = Isolation.worker
    /// The time after which an idle process is ended.
    package var idleLimit = Duration.seconds(60)
    /// The maximum time for which events wait while the executable is being rebuilt.
    package var rebuildTimeout = Duration.seconds(10)
    /// The debugging session, or `nil` for none. During a session there is one process at a time
    /// and no time limit.
    package var inspection: Inspection?
    /// A closure that is called with the function after its executable was rebuilt, because its
    /// manifest may have changed.
    package var onRebuilt: @Sendable (InstalledFunction) -> Void = { _ in }
    /// Returns the environment variables for a manifest, or `nil` to keep the function's own. A
    /// rebuilt function's manifest may declare others than before.
    package var environment: (@Sendable (FunctionManifest) -> [String: String])?
    /// The clock that measures idle times.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init(isolation: Isolation = .worker) { self.isolation = isolation }
  }

  /// An idle process.
  private struct Idle {
    var worker: FunctionWorker
    var since: ContinuousClock.Instant
  }

  private struct State {
    /// The idle processes, longest idle first. Events take the last one, so that the others can
    /// expire.
    var idle: [Idle] = []
    var reaping: Task<Void, Never>?
    var isClosed = false
  }

  /// The polling interval while `retire` waits.
  private static let pause = Duration.milliseconds(20)

  private let settings: Settings
  private let logs: any FunctionLog
  private let file: FunctionFile
  private let permits: AsyncSemaphore
  private let processes = RunningProcesses()
  private let lost = Atomic(0)
  private let state = Mutex(State())

  package init(
    _ function: InstalledFunction,
    settings: Settings = Settings(),
    logs: any FunctionLog
  ) {
    let permits = AsyncSemaphore(limit: Self.concurrency(of: function, settings))
    self.settings = settings
    self.logs = logs
    self.permits = permits
    file = FunctionFile(
      function,
      timeout: settings.rebuildTimeout,
      environment: settings.environment
    ) { function in
      permits.resize(to: Self.concurrency(of: function, settings))
      settings.onRebuilt(function)
    }
  }

  private static func concurrency(of function: InstalledFunction, _ settings: Settings) -> Int {
    settings.inspection == nil ? max(1, function.manifest.concurrency) : 1
  }

  package func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult {
    guard await permits.wait() == .acquired else { return isClosed ? .shuttingDown : .cancelled }
    defer { permits.signal() }
    let result: InvocationResult
    do throws(StatusError) {
      result = try await run(request, eventID: eventID)
    } catch {
      result = InvocationResult(error, exitCode: ExitCode.bug.rawValue)
    }
    // If the pool was closed or the task was cancelled, the process was killed for that reason, so
    // its error isn't the function's.
    guard result.error != nil else { return result }
    return isClosed ? .shuttingDown : Task.isCancelled ? .cancelled : result
  }

  /// Runs the function once, in an idle process or a new one.
  ///
  /// - Throws: An error if no process could be started.
  private func run(
    _ request: (_ timeout: Duration) -> InvocationRequest?,
    eventID: String
  ) async throws(StatusError) -> InvocationResult {
    let function = try await file.current()
    let isInspected = settings.inspection != nil
    let timeout = Duration.seconds(function.manifest.timeoutSeconds)
    let limit = isInspected ? nil : TimeLimit(timeout)
    guard let request = request(isInspected ? Inspection.timeout : timeout) else {
      return .cancelled
    }
    let attempt = LoggedAttempt(
      eventID: eventID,
      invocationID: request.invocation.id,
      number: request.invocation.attempt,
      traceparent: request.invocation.traceparent
    )
    guard function.manifest.worker else {
      let process = try await start(function) { function throws(StatusError) in
        try FunctionProcess(
          function,
          logs: logs,
          processes: processes,
          request: request,
          attempt: attempt
        )
      }
      return await process.invoke(limit: limit, inspection: settings.inspection)
    }

    let idle = takeIdle(function)
    var worker: FunctionWorker
    if let idle { worker = idle } else { worker = try await startWorker(function) }
    let standby = settings.isolation == .process ? Task { await addStandby(function) } : nil
    var answer = await worker.invoke(request, attempt: attempt, limit: limit)
    // A worker that ended while it was idle hasn't begun this event, so start another one.
    if answer.isUnbegun, idle != nil, !isClosed, !Task.isCancelled {
      await worker.end()
      worker = try await startWorker(function)
      answer = await worker.invoke(request, attempt: attempt, limit: limit)
    }
    await standby?.value
    if !answer.isUsable, !isClosed, !Task.isCancelled { lost.add(1, ordering: .relaxed) }
    let isKept = answer.isUsable && settings.isolation == .worker && keep(worker)
    if !isKept { await worker.end() }
    return answer.result
  }

  /// Takes up a change of the executable or its manifest now. Otherwise the next event does.
  ///
  /// - Parameter function: The function as it is on disk now.
  package func update(_ function: InstalledFunction) { file.update(function) }

  // MARK: Starting

  /// Starts a worker and waits until it is ready, so that the first event doesn't have to wait.
  ///
  /// - Throws: INTERNAL if the function doesn't become ready within its time limit.
  package func prepare() async throws(StatusError) {
    let function = try await file.current()
    guard function.manifest.worker else { return }
    let worker = try await startWorker(function)
    do throws(StatusError) {
      try await worker.prepare(within: TimeLimit(.seconds(function.manifest.timeoutSeconds)))
    } catch {
      await worker.end()
      throw error
    }
    if !keep(worker) { await worker.end() }
  }

  /// Starts a process. If that fails, waits for a rebuild of the executable and tries once more.
  private func start<Process>(
    _ function: InstalledFunction,
    _ start: (InstalledFunction) throws(StatusError) -> Process
  ) async throws(StatusError) -> Process {
    do throws(StatusError) {
      return try start(function)
    } catch {
      guard !isClosed else { throw error }
    }
    return try start(try await file.renewed())
  }

  private func startWorker(
    _ function: InstalledFunction
  ) async throws(StatusError) -> FunctionWorker {
    try await start(function) { function throws(StatusError) in
      try newWorker(function)
    }
  }

  private func newWorker(_ function: InstalledFunction) throws(StatusError) -> FunctionWorker {
    try FunctionWorker(
      function,
      logs: logs,
      processes: processes,
      inspection: settings.inspection
    )
  }

  /// Starts a worker for the next event in advance.
  ///
  /// Each event starts one, so that after a burst of events there are as many idle workers as the
  /// burst needed. Unused workers are ended when their idle time expires.
  private func addStandby(_ function: InstalledFunction) async {
    guard settings.inspection == nil,
      state.withLock({ $0.idle.count < function.manifest.concurrency }),
      // If the worker doesn't start, the next event tries again and reports the error.
      let worker = try? newWorker(function)
    else { return }
    if !keep(worker) { await worker.end() }
  }

  // MARK: Idle processes

  /// Takes an idle process that runs the current executable. Ends idle processes that run an
  /// earlier one.
  private func takeIdle(_ function: InstalledFunction) -> FunctionWorker? {
    let (worker, outdated) = state.withLock { state in
      let outdated = state.idle.filter { $0.worker.file != function.file }
      if !outdated.isEmpty { state.idle.removeAll { $0.worker.file != function.file } }
      return (state.idle.popLast()?.worker, outdated)
    }
    if !outdated.isEmpty {
      // The event doesn't wait for their end. `close` does, because they are still in `processes`.
      Task { await end(outdated) }
    }
    return worker
  }

  /// Adds a worker to the idle processes.
  ///
  /// - Returns: `false` if the pool is closed.
  private func keep(_ worker: FunctionWorker) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.idle.append(Idle(worker: worker, since: settings.now()))
      if state.reaping == nil { state.reaping = Task { await reapForever() } }
      return true
    }
  }

  /// Ends the processes that have been idle for too long.
  package func reap() async {
    let limit = settings.now() - settings.idleLimit
    let expired = state.withLock { state in
      let expired = state.idle.prefix { $0.since <= limit }
      state.idle.removeFirst(expired.count)
      return Array(expired)
    }
    await end(expired)
  }

  /// Calls `reap` whenever an idle time expires, until no process is idle.
  private func reapForever() async {
    while true {
      let oldest = state.withLock { state in
        if state.idle.isEmpty { state.reaping = nil }
        return state.idle.first?.since
      }
      guard let oldest else { return }
      do {
        try await Task.sleep(for: oldest + settings.idleLimit - settings.now())
      } catch {
        return
      }
      await reap()
    }
  }

  private func end(_ idle: [Idle]) async {
    await withDiscardingTaskGroup { group in
      for idle in idle { group.addTask { await idle.worker.end() } }
    }
  }

  /// The number of idle processes.
  package var idleCount: Int { state.withLock(\.idle.count) }

  /// The number of events and calls that wait for a permit.
  package var waitingCount: Int { permits.waitingCount }

  /// The number of events and calls that have a permit.
  package var busyCount: Int { permits.acquiredCount }

  /// The number of workers that were replaced because they crashed, exceeded the time limit or
  /// broke the protocol.
  package var lostCount: Int { lost.load(ordering: .relaxed) }

  /// The number of processes, idle or busy.
  package var processCount: Int { processes.count }

  // MARK: Closing

  private var isClosed: Bool { state.withLock(\.isClosed) }

  /// Refuses new events, waits until the invocations in progress have ended, and ends all processes.
  /// An invocation whose process hasn't started, because the executable is missing, fails.
  package func retire() async {
    permits.close()
    file.close()
    while busyCount > 0 { try? await Task.sleep(for: Self.pause) }
    await close()
  }

  /// Refuses new events and ends all processes. Busy processes get `RunningProcesses.grace` to
  /// finish.
  package func close() async { await close(grace: RunningProcesses.grace) }

  /// Refuses new events and ends all processes. Busy processes get the time `grace` to finish.
  package func close(grace: Duration) async {
    let (idle, reaping) = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return (state.idle, state.reaping)
    }
    reaping?.cancel()
    permits.close()
    file.close()
    await processes.end(grace: grace)
    await end(idle)
    await reaping?.value
  }
}
