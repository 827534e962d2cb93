import Synchronization

/// A counting semaphore whose waiters suspend instead of blocking a thread, in first-in, first-out
/// order.
package final class AsyncSemaphore: Sendable {
  /// The outcome of a wait.
  package enum Outcome: Sendable {
    /// The caller has a permit and must return it with `signal`.
    case acquired
    case deadlineExceeded
    case cancelled
    /// The semaphore is closed.
    case closed
  }

  private struct State {
    var limit: Int
    var acquired = 0
    var isClosed = false
    var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    /// The number of the last waiter.
    var lastNumber = 0
    /// The lowest number of a waiter that may still be waiting.
    var firstNumber = 1

    mutating func acquireAtOnce() -> Outcome? {
      guard !isClosed else { return .closed }
      guard acquired < limit else { return nil }
      acquired += 1
      return .acquired
    }

    /// Removes the first waiters while there are permits, and takes a permit for each.
    mutating func admitWaiters() -> [CheckedContinuation<Outcome, Never>] {
      var admitted: [CheckedContinuation<Outcome, Never>] = []
      while acquired < limit, !waiters.isEmpty {
        defer { firstNumber += 1 }
        // A waiter that gave up has already been removed, so skip its number.
        guard let waiter = waiters.removeValue(forKey: firstNumber) else { continue }
        acquired += 1
        admitted.append(waiter)
      }
      return admitted
    }
  }

  private let state: Mutex<State>

  /// - Parameter limit: The number of permits.
  package init(limit: Int) { state = Mutex(State(limit: limit)) }

  /// The number of permits in use.
  package var acquiredCount: Int { state.withLock(\.acquired) }

  /// The number of waiting callers.
  package var waitingCount: Int { state.withLock(\.waiters.count) }

  /// Waits for a permit until the deadline passes, the task is cancelled or the semaphore is
  /// closed.
  ///
  /// A free permit is granted even after the deadline or a cancellation.
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
          // If the task was cancelled or the deadline passed before the waiter was added, nothing
          // would resume it.
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

  /// Gives a permit back, and grants it to the first waiter.
  package func signal() {
    let admitted = state.withLock { state in
      state.acquired -= 1
      return state.admitWaiters()
    }
    for waiter in admitted { waiter.resume(returning: .acquired) }
  }

  /// Changes the number of permits. Callers that have a permit keep it, even if the new limit is
  /// lower.
  package func resize(to limit: Int) {
    let admitted = state.withLock { state in
      state.limit = limit
      return state.admitWaiters()
    }
    for waiter in admitted { waiter.resume(returning: .acquired) }
  }

  /// Ends all current and future waits with the outcome `closed`.
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
