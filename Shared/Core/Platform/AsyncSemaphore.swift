import Synchronization

/// A counting semaphore whose waiters suspend instead of blocking a thread. First come, first served.
package final class AsyncSemaphore: Sendable {
  /// The end of a wait.
  package enum Outcome: Sendable {
    /// The caller has a permit, and gives it back with `signal`.
    case acquired
    case deadlineExceeded
    case cancelled
    /// The semaphore gives no more permits.
    case closed
  }

  private struct State {
    var limit: Int
    var acquired = 0
    var isClosed = false
    var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    /// The number of the last waiter.
    var lastNumber = 0
    /// The lowest number that may still be waiting.
    var firstNumber = 1

    mutating func acquireAtOnce() -> Outcome? {
      guard !isClosed else { return .closed }
      guard acquired < limit else { return nil }
      acquired += 1
      return .acquired
    }

    /// Takes the waiters for whom there is a permit, each with its own.
    mutating func admitWaiters() -> [CheckedContinuation<Outcome, Never>] {
      var admitted: [CheckedContinuation<Outcome, Never>] = []
      while acquired < limit, !waiters.isEmpty {
        defer { firstNumber += 1 }
        // Those that gave up left their number unused.
        guard let waiter = waiters.removeValue(forKey: firstNumber) else { continue }
        acquired += 1
        admitted.append(waiter)
      }
      return admitted
    }
  }

  private let state: Mutex<State>

  /// - Parameter limit: the number of permits.
  package init(limit: Int) { state = Mutex(State(limit: limit)) }

  /// The number of permits that are taken.
  package var acquiredCount: Int { state.withLock(\.acquired) }

  /// The number of callers that wait.
  package var waitingCount: Int { state.withLock(\.waiters.count) }

  /// Waits for a permit until the deadline passes, the task is cancelled or the semaphore is closed.
  ///
  /// A permit that is free is given whatever the deadline and the task say.
  package func wait(until deadline: ContinuousClock.Instant? = nil) async -> Outcome {
    let (outcome, number) = state.withLock { state -> (Outcome?, Int) in
      if let outcome = state.acquireAtOnce() { return (outcome, 0) }
      state.lastNumber += 1
      return (nil, state.lastNumber)
    }
    if let outcome { return outcome }
    let timer = deadline.map { deadline in
      Task {
        try await Task.sleep(until: deadline, clock: .continuous)
        giveUp(number, .deadlineExceeded)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          // A cancellation or a deadline from before the waiter was there found nothing to resume.
          if Task.isCancelled { return .cancelled }
          if let deadline, deadline <= .now { return .deadlineExceeded }
          if let outcome = state.acquireAtOnce() { return outcome }
          state.waiters[number] = continuation
          state.firstNumber = min(state.firstNumber, number)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      giveUp(number, .cancelled)
    }
  }

  /// Gives a permit back, to the first that waits.
  package func signal() {
    let admitted = state.withLock { state in
      state.acquired -= 1
      return state.admitWaiters()
    }
    for waiter in admitted { waiter.resume(returning: .acquired) }
  }

  /// Changes the number of permits. Those that are taken stay so.
  package func resize(to limit: Int) {
    let admitted = state.withLock { state in
      state.limit = limit
      return state.admitWaiters()
    }
    for waiter in admitted { waiter.resume(returning: .acquired) }
  }

  /// Ends all waits, those to come included.
  package func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(returning: .closed) }
  }

  private func giveUp(_ number: Int, _ outcome: Outcome) {
    state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: outcome)
  }
}
