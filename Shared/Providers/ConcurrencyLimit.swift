import Synchronization

/// So many places; who finds none waits, first come, first served.
final class ConcurrencyLimit: Sendable {
  enum Outcome: Sendable {
    /// There is a place; it is to be left.
    case entered
    case deadlineExceeded
    case cancelled
  }

  private struct Waiter: Sendable {
    var id: UInt64
    var continuation: CheckedContinuation<Outcome, Never>
  }

  private struct State: Sendable {
    var free: Int
    var nextID: UInt64 = 0
    var waiters: [Waiter] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// How many wait.
  var waiting: Int { state.withLock(\.waiters.count) }

  /// Returns as soon as there is a place, the deadline has passed, or the task is cancelled.
  func enter(by deadline: ContinuousClock.Instant) async -> Outcome {
    if takeFreePlace() { return .entered }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      giveUp(id, .deadlineExceeded)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome? = state.withLock { state in
          // Cancelled or too late before there was anything to give up.
          if Task.isCancelled { return .cancelled }
          if deadline <= .now { return .deadlineExceeded }
          if state.free > 0 {
            state.free -= 1
            return .entered
          }
          state.waiters.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      giveUp(id, .cancelled)
    }
  }

  /// Gives the place to the first who waits.
  func leave() {
    let next: Waiter? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume(returning: .entered)
  }

  private func takeFreePlace() -> Bool {
    state.withLock { state in
      guard state.free > 0 else { return false }
      state.free -= 1
      return true
    }
  }

  private func giveUp(_ id: UInt64, _ outcome: Outcome) {
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: outcome)
  }
}
