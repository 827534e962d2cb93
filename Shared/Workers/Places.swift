import DequeModule
import Synchronization

/// How many events a function has at work at once; the others wait in turn.
package final class Places: Sendable {
  private struct State {
    var limit: Int
    var taken = 0
    var isClosed = false
    /// By a number that tells them apart; those that went stay in the queue until their turn.
    var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    var queue: Deque<Int> = []
    var count = 0

    mutating func takeFree() -> Bool? {
      guard !isClosed else { return false }
      guard taken < limit else { return nil }
      taken += 1
      return true
    }

    /// Those who may go on, each with a place.
    mutating func admitted() -> [CheckedContinuation<Bool, Never>] {
      var admitted: [CheckedContinuation<Bool, Never>] = []
      while taken < limit, let key = queue.popFirst() {
        guard let waiter = waiters.removeValue(forKey: key) else { continue }
        taken += 1
        admitted.append(waiter)
      }
      return admitted
    }
  }

  private let state: Mutex<State>

  package init(limit: Int) { state = Mutex(State(limit: limit)) }

  /// Waits for a place.
  ///
  /// - Returns: false if there is none to come, since all was closed or the task was cancelled.
  package func take() async -> Bool {
    let (isTaken, key) = state.withLock { state in
      state.count += 1
      return (state.takeFree(), state.count)
    }
    if let isTaken { return isTaken }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken = state.withLock { state in
          let isTaken = state.takeFree()
          if isTaken == nil {
            state.waiters[key] = continuation
            state.queue.append(key)
          }
          return isTaken
        }
        if let isTaken {
          continuation.resume(returning: isTaken)
        } else if Task.isCancelled {
          // A cancellation from before the waiter was there found nothing to resume.
          giveUp(key)
        }
      }
    } onCancel: {
      giveUp(key)
    }
  }

  /// How many are at work.
  var takenCount: Int { state.withLock(\.taken) }

  /// How many wait.
  var waitingCount: Int { state.withLock(\.waiters.count) }

  package func leave() {
    let admitted = state.withLock { state in
      state.taken -= 1
      return state.admitted()
    }
    for waiter in admitted { waiter.resume(returning: true) }
  }

  /// Changes how many there are. Who has one keeps it.
  func resize(to limit: Int) {
    let admitted = state.withLock { state in
      state.limit = limit
      return state.admitted()
    }
    for waiter in admitted { waiter.resume(returning: true) }
  }

  /// Sends away all who wait and all who come.
  package func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer {
        state.waiters = [:]
        state.queue = []
      }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(returning: false) }
  }

  private func giveUp(_ key: Int) {
    state.withLock { $0.waiters.removeValue(forKey: key) }?.resume(returning: false)
  }
}
