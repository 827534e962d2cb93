package import Core
import FunctionRuntime
import Synchronization

/// How functions that can be workers are run.
package enum Isolation: String, Sendable, CaseIterable {
  /// Processes that live on and answer one event after the other.
  case worker
  /// A process per event. One that can be a worker is started early and stands by for its event.
  case process
}

/// The processes of one function, as many at once as its manifest allows.
package final class FunctionPool: FunctionTarget {
  package struct Settings: Sendable {
    package var isolation = Isolation.worker
    /// How long a process may be idle before it is ended.
    package var idleLimit = Duration.seconds(60)
    /// How long an executable that is being rebuilt may take to be whole again; events wait.
    package var rebuildPatience = Duration.seconds(10)
    /// Set to debug the function: one process at a time, and no limit of time.
    package var inspection: Inspection?
    /// Told of the function when its executable was rebuilt: its manifest may be another.
    package var onRebuilt: @Sendable (InstalledFunction) -> Void = { _ in }
    /// What idle times are told by.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    package init(isolation: Isolation = .worker) { self.isolation = isolation }
  }

  /// A process with nothing to do.
  private struct Idle {
    var worker: FunctionWorker
    var since: ContinuousClock.Instant
  }

  private struct State {
    /// The one that is idle longest first; the last is taken first, so that the others can go.
    var idle: [Idle] = []
    var reaping: Task<Void, Never>?
    var isClosed = false
  }

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
    file = FunctionFile(function, patience: settings.rebuildPatience) { function in
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
    // A process that was made to end has failed through no fault of its own.
    guard result.error != nil else { return result }
    return isClosed ? .shuttingDown : Task.isCancelled ? .cancelled : result
  }

  /// - Throws: if no process could be started.
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
    // One that ended while nothing was asked of it says nothing about this event.
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

  // MARK: Starting

  /// Returns when a worker is ready for the first event, which then waits for none.
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

  /// Starts a process; if that fails since the executable is being replaced, of the next one.
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

  /// Each event leaves a process standing by for the next, so there are as many as were needed
  /// lately; those that weren't are reaped.
  private func addStandby(_ function: InstalledFunction) async {
    guard settings.inspection == nil,
      state.withLock({ $0.idle.count < function.manifest.concurrency }),
      // Who needs it will see why there is none.
      let worker = try? newWorker(function)
    else { return }
    if !keep(worker) { await worker.end() }
  }

  // MARK: Idle processes

  /// An idle process of this very executable; those of an earlier one are ended.
  private func takeIdle(_ function: InstalledFunction) -> FunctionWorker? {
    let (worker, outdated) = state.withLock { state in
      let outdated = state.idle.filter { $0.worker.file != function.file }
      if !outdated.isEmpty { state.idle.removeAll { $0.worker.file != function.file } }
      return (state.idle.popLast()?.worker, outdated)
    }
    if !outdated.isEmpty {
      // The event doesn't wait for that; `close` does, as they are still running processes.
      Task { await end(outdated) }
    }
    return worker
  }

  /// - Returns: false if it is too late for that.
  private func keep(_ worker: FunctionWorker) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.idle.append(Idle(worker: worker, since: settings.now()))
      if state.reaping == nil { state.reaping = Task { await reapForever() } }
      return true
    }
  }

  /// Ends those that have been idle for too long.
  package func reap() async {
    let limit = settings.now() - settings.idleLimit
    let expired = state.withLock { state in
      let expired = state.idle.prefix { $0.since <= limit }
      state.idle.removeFirst(expired.count)
      return Array(expired)
    }
    await end(expired)
  }

  /// As long as there are any.
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

  /// How many processes are idle.
  package var idleCount: Int { state.withLock(\.idle.count) }

  /// How many events wait for a place.
  package var waitingCount: Int { permits.waitingCount }

  /// How many events and calls have a place.
  package var busyCount: Int { permits.acquiredCount }

  /// How many processes crashed, hung or broke the protocol, and were replaced.
  package var lostCount: Int { lost.load(ordering: .relaxed) }

  /// How many processes there are, idle or at work.
  package var processCount: Int { processes.count }

  // MARK: Closing

  private var isClosed: Bool { state.withLock(\.isClosed) }

  /// Takes nothing more and ends all processes: those at work have some seconds for their answer.
  package func close() async { await close(grace: RunningProcesses.grace) }

  /// The same with another time for those at work.
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
