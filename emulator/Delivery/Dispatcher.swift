package import Core
import FirestoreModel
package import FunctionHost
package import FunctionRuntime
package import Logging
package import Store
import Synchronization

/// The dispatcher, which turns commits into deliveries and runs the functions on them.
///
/// Deliveries run in parallel, in no guaranteed order, at least once. Temporary failures are
/// retried.
package final class Dispatcher: Sendable {
  struct State {
    /// A Boolean value that indicates whether triggers fire. The hub switches it.
    var isEnabled = true
    /// A Boolean value that indicates whether all deliveries are paused.
    var isPaused = false
    /// The names of functions whose deliveries are paused.
    var pausedFunctions: Set<String> = []
    /// The paused deliveries, by function.
    var heldBack: [String: [CheckedContinuation<Void, Never>]] = [:]
    var spans = SpanTable()
    var running = RunningInvocations()
    var catalog = FunctionCatalog([])
    /// The manifests of the catalog's functions and of registered ones, by name.
    var manifests: [String: FunctionManifest] = [:] {
      didSet { sorted = manifests.values.sorted { $0.name < $1.name } }
    }
    /// The manifests by name.
    private(set) var sorted: [FunctionManifest] = []
    /// The targets of all functions, by name.
    var targets: [String: any FunctionTarget] = [:]
    /// The process pools of the functions that run on this machine, by name.
    var pools: [String: FunctionPool] = [:]
    /// The pools of removed functions, whose invocations may be in progress.
    var retired: [FunctionPool] = []
    /// The settings of functions that are added later.
    var installation = Installation()
    var chaos: Chaos?
    /// The time of the last change of a Realtime Database.
    private var lastReferenceTime: Int64 = 0
    /// The scheduled crashes, by the invocation's span.
    var crashes: [String: ScheduledCrash] = [:]
    /// The tasks that wait for a delivery's next attempt, by the delivery's id.
    var sleepers: [String: Task<Void, Never>] = [:]
    /// A Boolean value that indicates whether `finish` was called.
    var isFinished = false
    /// The closure that writes records to the journal, or `nil` without a journal.
    var keep: Keep?

    /// Returns the time of a change of a Realtime Database, in microseconds as Firestore stores it.
    /// No two changes have the same time, so that functions can order a node's events by it.
    mutating func referenceTime(at now: Timestamp) -> Timestamp {
      lastReferenceTime = max(now.microseconds, lastReferenceTime + 1)
      return Timestamp(microseconds: lastReferenceTime)
    }

    /// The functions that may take events, sorted by name; empty if triggers are off.
    var triggeredFunctions: [FunctionManifest] { isEnabled ? sorted : [] }
  }

  /// A closure that returns once the journal has written the records.
  typealias Keep = @Sendable ([JournalRecord]) async throws(StatusError) -> Void

  package let logs: LogStore
  /// The feed of events for the pages.
  package let feed: ActivityFeed
  /// The log of documents' writers.
  package let writes = WriteLog()
  /// The log of nodes' writers.
  let references = ReferenceLog()
  /// The log of objects' writers.
  package let objects = ObjectLog()
  /// The log of functions' requests to providers.
  package let providerCalls = ProviderCallLog()
  /// The calls of callable functions.
  package let calls: CallLog
  package let metrics = DeliveryMetrics()
  let outbox: Outbox
  let sources: FunctionContext.Sources
  private let failureLevel: Logger.Level
  let logger: Logger
  let state: Mutex<State>
  let isolation: Isolation
  let retryPolicy: DeliveryRetryPolicy
  let clock: RetryClock
  private let queue: AsyncStream<String>
  private let enqueue: AsyncStream<String>.Continuation

  /// Creates a dispatcher without functions.
  ///
  /// Call `install` to add functions. They can't be added here: their environment contains the
  /// addresses of the services, and the services need the dispatcher.
  ///
  /// - Parameters:
  ///   - chaos: The faults to inject.
  ///   - feed: The feed that deliveries, calls and logs are published to.
  ///   - maximumKept: The maximum number of finished deliveries that are kept.
  ///   - failureLevel: The level at which failures of functions are logged.
  package init(
    isolation: Isolation,
    retryPolicy: DeliveryRetryPolicy = .local,
    clock: RetryClock = RetryClock(),
    chaos: Chaos? = nil,
    sources: FunctionContext.Sources = .system,
    feed: ActivityFeed = ActivityFeed(),
    maximumKept: Int = 10_000,
    failureLevel: Logger.Level = .error,
    logger: Logger
  ) {
    self.isolation = isolation
    self.retryPolicy = retryPolicy
    self.clock = clock
    self.feed = feed
    logs = LogStore(feed: feed)
    calls = CallLog(feed: feed)
    self.sources = sources
    self.failureLevel = failureLevel
    self.logger = logger
    outbox = Outbox(maximumKept: maximumKept, feed: feed)
    var state = State()
    state.chaos = chaos
    self.state = Mutex(state)
    (queue, enqueue) = AsyncStream.makeStream()
  }

  // MARK: Registered functions

  /// Adds or replaces a function that isn't a local executable.
  ///
  /// - Throws: `INVALID_ARGUMENT` if an executable function has the same name.
  package func register(
    _ manifest: FunctionManifest,
    target: any FunctionTarget
  ) throws(StatusError) {
    try state.withLock { state throws(StatusError) in
      guard state.catalog.functions[manifest.name] == nil else {
        throw StatusError(
          .invalidArgument,
          "the emulator already runs an executable with the name \(quoted(manifest.name)): use "
            + "another name for the function"
        )
      }
      state.manifests[manifest.name] = manifest
      state.targets[manifest.name] = target
    }
    adopt([manifest.name])
  }

  /// Removes a registered function. Its deliveries wait until it is registered again.
  package func unregister(_ name: String) {
    state.withLock { state in
      guard state.catalog.functions[name] == nil else { return }
      state.manifests[name] = nil
      state.targets[name] = nil
    }
  }

  /// Schedules the deliveries that wait for these functions to be present, such as those that an
  /// earlier emulator left in the data folder.
  func adopt(_ functions: Set<String>) {
    for id in outbox.adopt(functions) { schedule(id) }
  }

  package var catalog: FunctionCatalog { state.withLock(\.catalog) }

  /// Restores the deliveries in a store's journal. Later deliveries are written to this journal.
  ///
  /// - Parameter records: The records that the journal had when it was opened.
  /// - Throws: `DATA_LOSS` if a record can't be decoded.
  package func attach(
    to store: Store,
    records: [String: Data]
  ) throws(StatusError) {
    outbox.restore(try Delivery.restored(from: records)) { store.keepSoon($0) }
    state.withLock { state in
      state.keep = { records throws(StatusError) in try await store.keep(records) }
    }
  }

  // MARK: Switches

  /// A Boolean value that indicates whether triggers fire. Firebase's tools switch it through the
  /// hub. Changes that are made while triggers are off are never delivered.
  package var isEnabled: Bool {
    get { state.withLock(\.isEnabled) }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// The faults that are injected into later deliveries and provider calls.
  package var chaos: Chaos? {
    get { state.withLock(\.chaos) }
    set { state.withLock { $0.chaos = newValue } }
  }

  // MARK: Delivering

  /// Delivers events until `finish` is called.
  package func run() async {
    await withDiscardingTaskGroup { group in
      for await id in queue {
        group.addTask { await self.deliver(id) }
      }
      let targets = state.withLock { $0.targets.values + $0.retired }
      for target in targets { group.addTask { await target.close() } }
    }
  }

  /// Ends `run` within seconds. Waiting invocations end at once; running processes get SIGTERM,
  /// then SIGKILL. To let all deliveries finish, wait for `quiet` first.
  package func finish() {
    let sleepers = state.withLock { state in
      state.isFinished = true
      return state.sleepers.values
    }
    for sleeper in sleepers { sleeper.cancel() }
    releaseHeldDeliveries()
    enqueue.finish()
  }

  /// Enqueues a delivery.
  func schedule(_ id: String) {
    // During shutdown nothing reads the queue, so the delivery is left to the next emulator.
    if case .terminated = enqueue.yield(id) { outbox.release(id) }
  }

  /// Attempts a delivery until it has ended or is released.
  private func deliver(_ id: String) async {
    guard let claimed = outbox.claim(id) else { return }
    if let next = claimed.nextAttempt { await backOff(next.duration(since: sources.now()), id) }
    while let delivery = outbox[id] {
      await untilResumed(delivery.function)
      // Without its function, or during shutdown, the delivery keeps its state.
      let target = state.withLock { $0.isFinished ? nil : $0.targets[delivery.function] }
      guard let target else { return release(delivery) }
      let result: InvocationResult
      if let refusal = LoopGuard.refusal(of: delivery) {
        result = InvocationResult(
          refusal,
          exitCode: ExitCode.badEvent.rawValue,
          isRetryable: false
        )
      } else {
        guard let attempted = await attempt(delivery, on: target) else { continue }
        result = attempted
      }
      guard !isShuttingDown(result) else { return outbox.release(id) }
      // The failure of a function that was removed meanwhile may be its removal.
      if result.error != nil, isMissing(delivery.function) { return release(delivery) }
      let delay = delay(after: result, of: id)
      let now = sources.now()
      metrics.count(
        result,
        of: delivery.function,
        isLast: delay == nil,
        latency: now.duration(since: delivery.recorded)
      )
      if delay == nil, let error = result.error {
        log(error, of: delivery.function, eventID: delivery.event.id, exitCode: result.exitCode)
      }
      outbox.end(id, result, at: now, next: delay.map { now.advanced(by: $0) })
      guard let delay else { return }
      await backOff(delay, id)
    }
  }

  private func isMissing(_ function: String) -> Bool {
    state.withLock { $0.targets[function] == nil }
  }

  /// Returns a delivery to the outbox because its function is missing.
  ///
  /// The delivery waits there until the function is registered.
  private func release(_ delivery: Delivery) {
    outbox.release(delivery.id)
    // The function may have been registered meanwhile.
    let isThere = state.withLock { $0.targets[delivery.function] != nil && !$0.isFinished }
    if isThere { adopt([delivery.function]) }
  }

  // MARK: Retries

  /// Retries a dead letter, or ends a delivery's wait for its next attempt.
  ///
  /// - Throws: The errors of `Outbox.retry`.
  @discardableResult
  package func retry(_ id: String) throws(StatusError) -> Delivery {
    switch try outbox.retry(id, at: sources.now()) {
    case .schedule(let delivery):
      schedule(id)
      return delivery
    case .wake(let delivery):
      state.withLock { $0.sleepers[id]?.cancel() }
      return delivery
    }
  }

  // MARK: Queries

  /// Returns the invocation that a trace context belongs to, or `nil` if none does.
  package func invoker(of traceparent: String) -> Invoker? {
    state.withLock { $0.spans.invokers(of: traceparent).last }
  }

  /// Waits until all deliveries have ended, including the deliveries that they cause. Returns early
  /// if the task is cancelled.
  package func quiet() async { await outbox.quiet() }

  /// Waits until these deliveries have ended.
  package func ended(_ ids: [String]) async { await outbox.ended(ids) }

  /// The number of deliveries that were given up since the start and not retried. It includes
  /// dropped deliveries.
  package var deadLetterCount: Int { outbox.deadLetterCount }

  /// The number of deliveries that have not ended yet.
  package var unfinishedCount: Int { outbox.unfinishedCount }

  /// The number of deliveries that wait for each missing function, by the function's name.
  package var missingFunctions: [String: Int] { outbox.missingFunctions }

  /// The kept deliveries that this emulator gave up.
  package var deadLetters: [Delivery] { outbox.deadLetters }

  /// The kept deliveries, in the order in which they were recorded.
  ///
  /// Only the newest thousands of finished deliveries are kept. Dead letters are kept longest.
  package var deliveries: [Delivery] { outbox.deliveries }

  /// Returns the delivery with an id, or `nil` if it isn't kept.
  package func delivery(_ id: String) -> Delivery? { outbox[id] }

  func log(_ error: StatusError, of function: String, eventID: String, exitCode: Int32) {
    logger.log(
      level: failureLevel,
      "a function failed",
      metadata: [
        "function": "\(function)", "eventId": "\(eventID)", "exitCode": "\(exitCode)",
        "error": "\(error)",
      ]
    )
  }
}
