package import Core
import FirestoreModel
package import FunctionHost
package import FunctionRuntime
package import Logging
package import Store
import Synchronization

/// Turns commits into deliveries and runs the functions on them: in parallel, in no promised
/// order, at least once, and again what failed for a while.
package final class Dispatcher: Sendable {
  struct State {
    /// Firebase's switch: what happens while it is off fires nothing.
    var isEnabled = true
    /// What happens while it is set is delivered later.
    var isPaused = false
    /// Functions whose deliveries wait while those of others go on.
    var pausedFunctions: Set<String> = []
    /// Deliveries that are held back, by function.
    var heldBack: [String: [CheckedContinuation<Void, Never>]] = [:]
    var spans = SpanTable()
    var running = RunningInvocations()
    var catalog = FunctionCatalog([])
    /// Of the catalog's functions and of those that were registered.
    var manifests: [String: FunctionManifest] = [:] {
      didSet { sorted = manifests.values.sorted { $0.name < $1.name } }
    }
    private var sorted: [FunctionManifest] = []
    var targets: [String: any FunctionTarget] = [:]
    /// Of the functions that run on this machine.
    var pools: [String: FunctionPool] = [:]
    var chaos: Chaos?
    /// Invocations that are to crash, by their spans.
    var crashes: [String: ScheduledCrash] = [:]
    /// Deliveries that wait for their next attempt.
    var sleepers: [String: Task<Void, Never>] = [:]
    var isFinished = false
    /// Returns when a journal has what it is given; nil without one.
    var keep: Keep?

    /// Whom events are for, in the order of their names.
    var takers: [FunctionManifest] { isEnabled ? sorted : [] }
  }

  typealias Keep = @Sendable ([JournalRecord]) async throws(StatusError) -> Void

  package let logs: LogStore
  /// What happens, for those who look on.
  package let feed: ActivityFeed
  /// Who changed which document.
  package let writes = WriteLog()
  /// What functions asked of providers.
  package let providerCalls = ProviderCallLog()
  /// The calls of callable functions.
  package let calls: CallLog
  package let metrics = DeliveryMetrics()
  let outbox: Outbox
  let sources: FunctionContext.Sources
  let logger: Logger
  let state: Mutex<State>
  private let isolation: Isolation
  let retryPolicy: DeliveryRetryPolicy
  let clock: RetryClock
  private let queue: AsyncStream<String>
  private let enqueue: AsyncStream<String>.Continuation

  /// Has no functions until `install`: they are asked with the addresses of services that
  /// themselves need the dispatcher.
  ///
  /// - Parameters:
  ///   - chaos: what goes wrong on purpose.
  ///   - feed: is told what happens.
  ///   - maximumKept: how many deliveries that have ended are kept to look at.
  package init(
    isolation: Isolation,
    retryPolicy: DeliveryRetryPolicy = .local,
    clock: RetryClock = RetryClock(),
    chaos: Chaos? = nil,
    sources: FunctionContext.Sources = .system,
    feed: ActivityFeed = ActivityFeed(),
    maximumKept: Int = 10_000,
    logger: Logger
  ) {
    self.isolation = isolation
    self.retryPolicy = retryPolicy
    self.clock = clock
    self.feed = feed
    logs = LogStore(feed: feed)
    calls = CallLog(feed: feed)
    self.sources = sources
    self.logger = logger
    outbox = Outbox(maximumKept: maximumKept, feed: feed)
    var state = State()
    state.chaos = chaos
    self.state = Mutex(state)
    (queue, enqueue) = AsyncStream.makeStream()
  }

  // MARK: Functions

  /// Gives the dispatcher its functions. Call it once, before anything is written.
  ///
  /// - Parameters:
  ///   - targets: by function, where its deliveries go if not to processes of its own.
  ///   - inspections: by function, how a debugger comes to its process, where one is to.
  ///   - observe: puts an observer in front of a target.
  package func install(
    _ catalog: FunctionCatalog,
    targets: [String: any FunctionTarget] = [:],
    inspections: [String: Inspection] = [:],
    observe: (InstalledFunction, any FunctionTarget) -> any FunctionTarget = { $1 }
  ) {
    var pools: [String: FunctionPool] = [:]
    let all = catalog.functions.mapValues { function -> any FunctionTarget in
      if let target = targets[function.name] { return observe(function, target) }
      var settings = FunctionPool.Settings(isolation: isolation)
      settings.inspection = inspections[function.name]
      settings.onRebuilt = { [weak self] function in
        self?.state.withLock { state in
          state.catalog = state.catalog.replacing(function)
          state.manifests[function.name] = function.manifest
        }
      }
      let pool = FunctionPool(function, settings: settings, logs: logs)
      pools[function.name] = pool
      return observe(function, pool)
    }
    state.withLock {
      $0.catalog = catalog
      $0.manifests = catalog.functions.mapValues(\.manifest)
      $0.targets = all
      $0.pools = pools
    }
    for cycle in catalog.cycles {
      logger.warning("functions may wake each other for ever", metadata: ["cycle": "\(cycle)"])
    }
    adopt(Set(all.keys))
  }

  /// Adds a function that isn't an executable of ours, or replaces it.
  ///
  /// - Throws: `INVALID_ARGUMENT` if an executable has its name.
  package func register(
    _ manifest: FunctionManifest,
    target: any FunctionTarget
  ) throws(StatusError) {
    try state.withLock { state throws(StatusError) in
      guard state.catalog.functions[manifest.name] == nil else {
        throw StatusError(
          .invalidArgument,
          "there is an executable function \(quoted(manifest.name))"
        )
      }
      state.manifests[manifest.name] = manifest
      state.targets[manifest.name] = target
    }
    adopt([manifest.name])
  }

  /// Takes away a registered function; what waits for it waits until it comes back.
  package func unregister(_ name: String) {
    state.withLock { state in
      guard state.catalog.functions[name] == nil else { return }
      state.manifests[name] = nil
      state.targets[name] = nil
    }
  }

  /// Delivers what an earlier emulator of the same data left for these functions.
  private func adopt(_ functions: Set<String>) {
    for id in outbox.adopt(functions) { schedule(id) }
  }

  package var catalog: FunctionCatalog { state.withLock(\.catalog) }

  /// Keeps deliveries in a store's journal, and takes up those that it has.
  ///
  /// - Parameter records: what the journal had when it was opened.
  /// - Throws: `DATA_LOSS` if they can't be read.
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

  /// Switches triggers off and on, as Firebase's hub does. What happens meanwhile fires nothing.
  package var isEnabled: Bool {
    get { state.withLock(\.isEnabled) }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// What goes wrong with deliveries from now on.
  package var chaos: Chaos? {
    get { state.withLock(\.chaos) }
    set { state.withLock { $0.chaos = newValue } }
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
  package func finish() {
    let sleepers = state.withLock { state in
      state.isFinished = true
      return state.sleepers.values
    }
    for sleeper in sleepers { sleeper.cancel() }
    releaseHeldDeliveries()
    enqueue.finish()
  }

  /// Has a delivery tried as soon as there is a place for it.
  func schedule(_ id: String) {
    // Recorded while the emulator ends: nobody takes it from the queue any more.
    if case .terminated = enqueue.yield(id) { outbox.release(id) }
  }

  /// Tries a delivery until it has ended.
  private func deliver(_ id: String) async {
    guard let claimed = outbox.claim(id) else { return }
    if let next = claimed.nextAttempt { await backOff(next.duration(since: sources.now()), id) }
    while let delivery = outbox[id] {
      await untilResumed(delivery.function)
      // Neither without its function nor at the emulator's end is it tried; it stays as it is.
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

  private func release(_ delivery: Delivery) {
    outbox.release(delivery.id)
    // Its function may have come just now.
    let isThere = state.withLock { $0.targets[delivery.function] != nil && !$0.isFinished }
    if isThere { adopt([delivery.function]) }
  }

  // MARK: Retrying

  /// Has a dead letter tried again, or a delivery that waits for its next attempt at once.
  ///
  /// - Throws: as `Outbox.retry` does.
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

  // MARK: Looking

  /// Which function sends requests with this trace context; nil if none does.
  package func invoker(of traceparent: String) -> Invoker? {
    state.withLock { $0.spans.invokers(of: traceparent).last }
  }

  /// Returns once everything recorded so far has ended, with all that followed from it, or when
  /// the task is cancelled.
  package func quiet() async { await outbox.quiet() }

  /// Returns once these deliveries have ended.
  package func ended(_ ids: [String]) async { await outbox.ended(ids) }

  /// How many deliveries were given up since the start and not retried, also those no longer kept.
  package var deadLetterCount: Int { outbox.deadLetterCount }

  /// How many deliveries have not ended, and will.
  package var unfinishedCount: Int { outbox.unfinishedCount }

  /// The functions that deliveries of an earlier emulator wait for and that aren't there, with how
  /// many.
  package var missingFunctions: [String: Int] { outbox.missingFunctions }

  /// Those of them that are kept.
  package var deadLetters: [Delivery] { outbox.deadLetters }

  /// All deliveries in the order they were recorded; of those that ended, some thousands: the
  /// newest, and dead letters longer than others.
  package var deliveries: [Delivery] { outbox.deliveries }

  /// A delivery by its own id.
  package func delivery(_ id: String) -> Delivery? { outbox[id] }

  func log(_ error: StatusError, of function: String, eventID: String, exitCode: Int32) {
    logger.error(
      "a function failed",
      metadata: [
        "function": "\(function)", "eventId": "\(eventID)", "exitCode": "\(exitCode)",
        "error": "\(error)",
      ]
    )
  }
}
