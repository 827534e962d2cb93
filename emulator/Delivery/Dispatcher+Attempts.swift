import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Synchronization

// The attempts of a delivery, and the waits between them.

extension Dispatcher {
  /// Attempts a delivery once, with the faults that are injected into it.
  ///
  /// - Returns: The result, or `nil` if the function was paused while the delivery waited for a
  ///   process.
  func attempt(
    _ delivery: Delivery,
    on target: any FunctionTarget
  ) async -> InvocationResult? {
    guard let event = try? JSON.encode(delivery.event) else {
      return InvocationResult(
        StatusError(.internal, "the event can't be encoded as JSON"),
        exitCode: ExitCode.bug.rawValue,
        isRetryable: false
      )
    }
    let plan = self.chaos?.plan(for: delivery) ?? Chaos.Plan()
    if plan.delay > .zero { await wait(plan.delay, for: delivery.id) { false } }
    let crash = plan.scheduledCrash(ofDuplicate: false)
    let result: InvocationResult?
    if plan.isDuplicated {
      // Both invocations run at the same time, as at-least-once delivery allows.
      let other = plan.scheduledCrash(ofDuplicate: true)
      async let duplicate = invoke(delivery, on: target, event, other)
      result = await invoke(delivery, on: target, event, crash, begins: true)
      _ = await duplicate
    } else {
      result = await invoke(delivery, on: target, event, crash, begins: true)
    }
    // An invocation that couldn't be started counts as an attempt, too.
    if result != nil, outbox[delivery.id]?.state == .waiting { begin(delivery, Invocation()) }
    return result
  }

  /// Invokes the function once, and lets a scheduled crash kill it.
  ///
  /// - Parameter begins: Whether the invocation counts as the attempt; a duplicate doesn't.
  /// - Returns: The result, or `nil` if the function was paused.
  private func invoke(
    _ delivery: Delivery,
    on target: any FunctionTarget,
    _ event: Data,
    _ crash: ScheduledCrash?,
    begins: Bool = false
  ) async -> InvocationResult? {
    let wasHeldBack = Atomic(false)
    let invoke = { @Sendable () async -> InvocationResult in
      let traceparent = self.sources.newTraceparent(in: delivery.event.traceparent)
      defer { self.state.withLock { $0.running.end(traceparent, of: delivery.function) } }
      return await target.invoke(eventID: delivery.event.id) { timeout in
        guard !self.isHeldBack(delivery.function) else {
          wasHeldBack.store(true, ordering: .relaxed)
          return nil
        }
        let invocation = self.invocation(delivery, traceparent, crash, timeout: timeout)
        if begins { self.begin(delivery, invocation) }
        return InvocationRequest(event: event, invocation: invocation, change: delivery.event)
      }
    }
    let result: InvocationResult
    if let crash {
      result = await crash.run(invoke)
      state.withLock { $0.crashes = $0.crashes.filter { $0.value !== crash } }
      if crash.hasStruck { outbox.countKill(of: delivery.id) }
    } else {
      result = await invoke()
    }
    return wasHeldBack.load(ordering: .relaxed) ? nil : result
  }

  /// Records the beginning of an attempt.
  private func begin(_ delivery: Delivery, _ invocation: Invocation) {
    let attempt = DeliveryAttempt(
      number: delivery.attemptCount + 1,
      started: sources.now(),
      traceparent: invocation.traceparent ?? ""
    )
    outbox.begin(attempt, of: delivery.id)
    if attempt.number == 1 {
      metrics.countStart(
        of: delivery.function,
        after: attempt.started.duration(since: delivery.recorded)
      )
    }
  }

  /// Makes the next attempt's invocation, and registers its span and its crash.
  private func invocation(
    _ delivery: Delivery,
    _ traceparent: String,
    _ crash: ScheduledCrash?,
    timeout: Duration
  ) -> Invocation {
    state.withLock { state in
      state.spans.add(traceparent, of: delivery.asInvoker)
      state.running.begin(traceparent, of: delivery.asInvoker)
      if let crash { state.crashes[SpanTable.span(of: traceparent)] = crash }
    }
    return Invocation(
      id: delivery.id,
      attempt: delivery.attemptCount + 1,
      deadline: sources.now().advanced(by: TimeLimit.told(of: timeout)),
      traceparent: traceparent
    )
  }

  /// Returns a Boolean value that indicates whether the emulator's shutdown cancelled an attempt.
  /// The delivery then keeps its state.
  func isShuttingDown(_ result: InvocationResult) -> Bool {
    result.error?.code == .cancelled && state.withLock(\.isFinished)
  }

  /// Returns the delay before the next attempt, or `nil` if there is none.
  func delay(after result: InvocationResult, of id: String) -> Duration? {
    guard result.isRetryable, let delivery = outbox[id],
      state.withLock({ $0.manifests[delivery.function] })?.retry ?? true
    else { return nil }
    let delay = retryPolicy.delay(
      after: delivery.attemptCount - delivery.attemptsBeforeRetry,
      age: sources.now().duration(since: delivery.retried ?? delivery.recorded) * clock.scale,
      chance: Double(sources.random() >> 11) / Double(UInt64(1) << 53),
      asked: result.error?.retryAfter
    )
    return delay.map { $0 / clock.scale }
  }

  /// Waits for the time of a delivery's next attempt, or until a retry ends the wait.
  func backOff(_ duration: Duration, _ id: String) async {
    await wait(duration, for: id) { self.outbox[id]?.nextAttempt == nil }
  }

  /// Waits for a duration, or until a retry ends the wait or the emulator stops.
  ///
  /// - Parameter isOver: A closure that returns whether a retry has already ended the wait.
  private func wait(
    _ duration: Duration,
    for id: String,
    isOver: () -> Bool
  ) async {
    guard duration > .zero else { return }
    let sleeper = Task { [clock] in _ = try? await clock.sleep(duration) }
    let isFinished = state.withLock { state in
      state.sleepers[id] = sleeper
      return state.isFinished
    }
    if isFinished || isOver() { sleeper.cancel() }
    await sleeper.value
    state.withLock { _ = $0.sleepers.removeValue(forKey: id) }
  }
}
