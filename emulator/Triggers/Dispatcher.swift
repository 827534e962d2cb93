import FirestoreModel
package import FunctionRuntime
import JSONCoding
package import Logging
package import Platform
import RPCStatus
package import Store
import Synchronization

/// Turns commits into deliveries and runs the functions on them.
///
/// Deliveries are recorded inside the commit and delivered in parallel, in no promised order,
/// once each.
package final class Dispatcher: Sendable {
  /// A function that writes what wakes it would go on for ever.
  package static let maximumDepth = 16

  private struct State {
    /// How many deliveries that have ended are kept to look at.
    let maximumKept: Int
    var deliveries: [String: Delivery] = [:]
    /// Ids in the order they were recorded.
    var order: [String] = []
    var unfinished = 0
    /// How many failed since the start, kept or not.
    var failureCount = 0
    /// By a number that tells them apart.
    var quietWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var quietWaiterCount = 0
    var isEnabled = true
    var endWaiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// Which delivery a span belongs to, to tell what caused a write.
    var spans: [String: String] = [:]
    var catalog = FunctionCatalog([])
    var targets: [String: any FunctionTarget] = [:]

    /// Keeps memory bounded: half of what has ended goes, the oldest first, but failures last.
    mutating func forgetOldest() {
      let endedCount = order.count - unfinished
      guard endedCount > maximumKept else { return }
      var ended: [String] = []
      var failed: [String] = []
      for id in order {
        switch deliveries[id]?.state {
        case .waiting, .running: break
        case .failed: failed.append(id)
        case .succeeded, .skipped, nil: ended.append(id)
        }
      }
      let forgotten = Set((ended + failed).prefix(endedCount / 2))
      for id in forgotten { deliveries[id] = nil }
      order.removeAll(where: forgotten.contains)
      spans = spans.filter { !forgotten.contains($0.value) }
    }
  }

  package let logs: LogStore
  private let isolation: Isolation
  private let sources: FunctionContext.Sources
  private let logger: Logger
  private let state: Mutex<State>
  private let queue: AsyncStream<String>
  private let enqueue: AsyncStream<String>.Continuation

  /// Has no functions until `install`: they are asked with the addresses of services that
  /// themselves need the dispatcher.
  ///
  /// - Parameter maximumKept: how many deliveries that have ended are kept to look at.
  package init(
    isolation: Isolation,
    sources: FunctionContext.Sources = .system,
    logs: LogStore = LogStore(),
    maximumKept: Int = 10_000,
    logger: Logger
  ) {
    state = Mutex(State(maximumKept: maximumKept))
    self.isolation = isolation
    self.logs = logs
    self.sources = sources
    self.logger = logger
    (queue, enqueue) = AsyncStream.makeStream()
  }

  /// Gives the dispatcher its functions. Call it once, before anything is written.
  ///
  /// - Parameters:
  ///   - targets: by function, where its deliveries go if not to processes of its own.
  ///   - observe: puts an observer in front of a target.
  package func install(
    _ catalog: FunctionCatalog,
    targets: [String: any FunctionTarget] = [:],
    observe: (InstalledFunction, any FunctionTarget) -> any FunctionTarget = { $1 }
  ) {
    let pools = catalog.functions.mapValues { function in
      observe(
        function,
        targets[function.name] ?? FunctionPool(function, isolation: isolation, logs: logs)
      )
    }
    state.withLock {
      $0.catalog = catalog
      $0.targets = pools
    }
  }

  package var catalog: FunctionCatalog { state.withLock(\.catalog) }

  // MARK: Recording

  /// Records the events of a commit. Called inside the commit: it neither waits nor writes.
  package func record(_ commit: Commit) {
    guard commit.cause.firesTriggers,
      state.withLock({ $0.isEnabled && !$0.catalog.functions.isEmpty })
    else { return }
    for change in commit.changes {
      let event = DocumentEvent(
        id: sources.newID(),
        type: EventType(change.eventKind),
        document: change.name,
        time: commit.time,
        value: change.after,
        oldValue: change.before,
        updateMask: change.changedFields(),
        traceparent: commit.cause.traceparent ?? sources.newTraceparent()
      )
      record(event, caller: commit.cause.caller)
    }
  }

  /// Records an event for every function that takes it.
  ///
  /// - Parameter caller: who made the change; nil if the event itself says so.
  /// - Returns: the ids of the deliveries; none if no function takes it or triggers are off.
  @discardableResult
  package func record(
    _ event: DocumentEvent,
    caller: CommitCause.Caller? = nil
  ) -> [String] {
    let functions = catalog.functions.values.sorted { $0.name < $1.name }
    let span = event.traceparent.map(Self.span)
    let cause = state.withLock { state in
      span.flatMap { state.spans[$0] }.flatMap { state.deliveries[$0] }
    }
    var ids: [String] = []
    for function in functions {
      guard case .taken(let trigger, _) = try? function.manifest.match(event) else { continue }
      var event = event
      event.type = trigger.eventType
      event.authContext =
        trigger.eventType.hasAuthContext ? caller?.authContext ?? event.authContext : nil
      let delivery = Delivery(
        id: sources.newID(),
        function: function.name,
        event: event,
        cause: cause?.id,
        depth: cause.map { $0.depth + 1 } ?? 0
      )
      let isRecorded = state.withLock { state in
        guard state.isEnabled else { return false }
        state.deliveries[delivery.id] = delivery
        state.order.append(delivery.id)
        state.unfinished += 1
        return true
      }
      guard isRecorded else { continue }
      ids.append(delivery.id)
      // Recorded while the emulator ends: nobody takes it from the queue any more.
      if case .terminated = enqueue.yield(delivery.id) { finish(delivery, .shuttingDown) }
    }
    return ids
  }

  /// Switches triggers off and on, as Firebase's hub does. What happens meanwhile fires nothing.
  package var isEnabled: Bool {
    get { state.withLock(\.isEnabled) }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  // MARK: Delivering

  /// Delivers until `finish` is called.
  package func run() async {
    await withDiscardingTaskGroup { group in
      for await id in queue {
        group.addTask { await self.deliver(id) }
      }
      for target in state.withLock(\.targets).values { group.addTask { await target.close() } }
    }
  }

  /// Ends `run` within seconds: what waits for a place ends at once, what runs is asked to end and
  /// then made to. Whoever wants everything done waits for `quiet` first.
  package func finish() { enqueue.finish() }

  private func deliver(_ id: String) async {
    let (found, targets) = state.withLock { ($0.deliveries[id], $0.targets) }
    guard let delivery = found, let target = targets[delivery.function] else { return }
    guard delivery.depth <= Self.maximumDepth else {
      let error = StatusError(
        .failedPrecondition,
        "\(delivery.function) was woken by a chain of more than \(Self.maximumDepth) functions"
      )
      finish(delivery, InvocationResult(error, exitCode: ExitCode.badEvent.rawValue))
      return
    }
    let result: InvocationResult
    if let event = try? JSON.encode(delivery.event) {
      result = await target.invoke(eventID: delivery.event.id) { timeout in
        let invocation = self.start(delivery, timeout: timeout)
        return InvocationRequest(
          event: event,
          invocation: invocation,
          document: delivery.event
        )
      }
    } else {
      result = InvocationResult(
        StatusError(.internal, "the event can't be encoded"),
        exitCode: ExitCode.bug.rawValue
      )
    }
    finish(delivery, result)
  }

  private func start(_ delivery: Delivery, timeout: Duration) -> Invocation {
    let now = sources.now()
    let traceparent = sources.newTraceparent(in: delivery.event.traceparent)
    state.withLock { state in
      state.deliveries[delivery.id]?.state = .running
      state.deliveries[delivery.id]?.started = now
      state.spans[Self.span(of: traceparent)] = delivery.id
    }
    return Invocation(
      id: delivery.id,
      attempt: 1,
      deadline: now.advanced(by: Self.deadline(within: timeout)),
      traceparent: traceparent
    )
  }

  /// What a function is told it has: it ends by itself with a result before it is killed.
  private static func deadline(within timeout: Duration) -> Duration {
    timeout - min(timeout / 10, .seconds(1))
  }

  private func finish(_ delivery: Delivery, _ result: InvocationResult) {
    let now = sources.now()
    let waiters = state.withLock { state in
      let started = state.deliveries[delivery.id]?.started ?? now
      state.deliveries[delivery.id]?.started = started
      state.deliveries[delivery.id]?.duration = now.duration(since: started)
      state.deliveries[delivery.id]?.result = result
      state.deliveries[delivery.id]?.state =
        switch result.status {
        case .ok: .succeeded
        case .skipped: .skipped
        case .error: .failed
        }
      state.unfinished -= 1
      if result.status == .error { state.failureCount += 1 }
      var waiters = state.endWaiters.removeValue(forKey: delivery.id) ?? []
      if state.unfinished == 0 {
        waiters += state.quietWaiters.values
        state.quietWaiters = [:]
      }
      state.forgetOldest()
      return waiters
    }
    if let error = result.error, error.code != .cancelled {
      log(error, of: delivery.function, eventID: delivery.event.id, exitCode: result.exitCode)
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Calling

  /// Runs a callable function once and returns what it printed.
  ///
  /// - Parameter event: a callable request, `{"data":…}`, or a bare body.
  package func call(_ function: InstalledFunction, event: Data) async -> InvocationResult {
    guard let target = state.withLock({ $0.targets[function.name] }) else {
      return InvocationResult(
        StatusError(.notFound, "no function \(quoted(function.name))"),
        exitCode: ExitCode.bug.rawValue
      )
    }
    let id = sources.newID()
    let sources = sources
    let result = await target.invoke(eventID: id) { timeout in
      InvocationRequest(
        event: event,
        invocation: Invocation(
          id: id,
          attempt: 1,
          deadline: sources.now().advanced(by: Self.deadline(within: timeout)),
          traceparent: sources.newTraceparent()
        )
      )
    }
    // The one failure that the caller isn't told.
    if let error = result.error, error.fault == .configuration {
      log(error, of: function.name, eventID: id, exitCode: result.exitCode)
    }
    return result
  }

  private func log(
    _ error: StatusError,
    of function: String,
    eventID: String,
    exitCode: Int32
  ) {
    logger.error(
      "a function failed",
      metadata: [
        "function": "\(function)", "eventId": "\(eventID)", "exitCode": "\(exitCode)",
        "error": "\(error)",
      ]
    )
  }

  // MARK: Looking

  /// Returns once everything recorded so far has ended, with all that followed from it, or when
  /// the task is cancelled.
  package func quiet() async {
    let key = state.withLock { state in
      state.quietWaiterCount += 1
      return state.quietWaiterCount
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.unfinished > 0 else { return false }
          state.quietWaiters[key] = continuation
          return true
        }
        // A cancellation from before the waiter was there found nothing to resume.
        if !isWaiting { continuation.resume() } else if Task.isCancelled { stopWaiting(key) }
      }
    } onCancel: {
      stopWaiting(key)
    }
  }

  private func stopWaiting(_ key: Int) {
    state.withLock { $0.quietWaiters.removeValue(forKey: key) }?.resume()
  }

  /// Returns once these deliveries have ended.
  package func ended(_ ids: [String]) async {
    for id in ids {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          switch state.deliveries[id]?.state {
          case .waiting, .running:
            state.endWaiters[id, default: []].append(continuation)
            return false
          case .succeeded, .skipped, .failed, nil: return true
          }
        }
        if hasEnded { continuation.resume() }
      }
    }
  }

  /// How many deliveries have failed, also those no longer kept.
  package var failureCount: Int { state.withLock(\.failureCount) }

  /// All deliveries in the order they were recorded; of those that ended, some thousands: the
  /// newest, and failures longer than others.
  package var deliveries: [Delivery] {
    state.withLock { state in state.order.compactMap { state.deliveries[$0] } }
  }

  /// A delivery by its own id.
  package func delivery(_ id: String) -> Delivery? {
    state.withLock { $0.deliveries[id] }
  }

  /// The span id of a W3C trace context, which is unique to an invocation.
  private static func span(of traceparent: String) -> String {
    let parts = traceparent.split(separator: "-")
    return parts.count == 4 ? String(parts[2]) : traceparent
  }
}

extension DocumentChange {
  fileprivate var eventKind: EventType.Kind {
    switch kind {
    case .created: .created
    case .updated: .updated
    case .deleted: .deleted
    }
  }
}

extension CommitCause.Caller {
  /// The authtype of Eventarc's `withAuthContext` events.
  fileprivate var authContext: DocumentEvent.AuthContext {
    switch self {
    case .admin: .init(type: "system")
    case .user(let uid): .init(type: "app_user", id: uid)
    case .unauthenticated: .init(type: "unauthenticated")
    }
  }
}
