import FirestoreModel
import JSONCoding
import RPCStatus
import Store
import Synchronization

/// The deliveries there are: all that haven't ended, and the newest of those that have.
///
/// With a journal, what it is told comes back after a restart.
final class Outbox: Sendable {
  /// Takes what is to be kept; called under no lock, in the order of the changes.
  typealias Keep = @Sendable (@escaping @Sendable () -> [JournalRecord]) -> Void

  private struct State {
    var deliveries: [String: Delivery] = [:]
    /// Ids in the order they were recorded.
    var order: [String] = []
    /// Of functions that aren't there: they wait for an emulator that has them.
    var orphans: Set<String> = []
    /// What hasn't ended and will.
    var unfinished = 0
    var ended = 0
    /// How many were given up since the start, kept or not, less those that were retried.
    var deadLetterCount = 0
    /// By a number that tells them apart.
    var quietWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var quietWaiterCount = 0
    var endWaiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    var keep: Keep?

    /// - Returns: who is to be told.
    mutating func finishedOne(_ id: String) -> [CheckedContinuation<Void, Never>] {
      unfinished -= 1
      var waiters = endWaiters.removeValue(forKey: id) ?? []
      if unfinished == 0 {
        waiters += quietWaiters.values
        quietWaiters = [:]
      }
      return waiters
    }
  }

  private let maximumKept: Int
  private let state = Mutex(State())

  /// - Parameter maximumKept: how many deliveries that have ended are kept to look at.
  init(maximumKept: Int) { self.maximumKept = maximumKept }

  // MARK: Coming

  /// Takes up where another emulator's journal ends.
  ///
  /// - Parameter keep: what is to be kept from now on.
  func restore(_ deliveries: [Delivery], keep: @escaping Keep) {
    state.withLock { state in
      state.keep = keep
      for delivery in deliveries {
        state.deliveries[delivery.id] = delivery
        state.order.append(delivery.id)
        if delivery.isEnded {
          state.ended += 1
          if delivery.state == .deadLettered { state.deadLetterCount += 1 }
        } else {
          state.orphans.insert(delivery.id)
        }
      }
    }
  }

  /// - Returns: the ids of what waits for one of these functions and had none before.
  func adopt(_ functions: Set<String>) -> [String] {
    state.withLock { state in
      let found = state.order.filter { id in
        state.orphans.contains(id)
          && state.deliveries[id].map { functions.contains($0.function) } ?? false
      }
      state.orphans.subtract(found)
      state.unfinished += found.count
      return found
    }
  }

  /// Takes new deliveries, which the journal has by now.
  func add(_ deliveries: [Delivery]) {
    state.withLock { state in
      for delivery in deliveries {
        state.deliveries[delivery.id] = delivery
        state.order.append(delivery.id)
      }
      state.unfinished += deliveries.count
    }
  }

  // MARK: Attempts

  func begin(_ attempt: Attempt, of id: String) {
    state.withLock { $0.deliveries[id]?.begin(attempt) }
  }

  /// Leaves a delivery to the next emulator: nobody here waits for it any more.
  func release(_ id: String) {
    let waiters = state.withLock { state in
      state.deliveries[id]?.state = .waiting
      state.orphans.insert(id)
      return state.finishedOne(id)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// - Parameter next: when the delivery is tried again; nil ends it.
  func end(_ id: String, _ result: InvocationResult, at now: Timestamp, next: Timestamp?) {
    let (waiters, records) = state.withLock { state in
      guard var delivery = state.deliveries.removeValue(forKey: id) else {
        return ([CheckedContinuation<Void, Never>](), Records())
      }
      delivery.end(result, at: now, next: next)
      state.deliveries[id] = delivery
      var records = Records(changed: delivery)
      guard delivery.isEnded else { return ([], records) }
      state.ended += 1
      if delivery.state == .deadLettered { state.deadLetterCount += 1 }
      let waiters = state.finishedOne(id)
      records.forgotten = forgetOldest(&state)
      return (waiters, records)
    }
    keep(records)
    for waiter in waiters { waiter.resume() }
  }

  /// Makes a dead letter wait for attempts as if there had been none. What waits for its next
  /// attempt needn't wait any longer.
  ///
  /// - Throws: `NOT_FOUND`, or `FAILED_PRECONDITION` for what runs, has succeeded or was skipped.
  func retry(_ id: String) throws(StatusError) -> Delivery {
    let delivery = try state.withLock { state throws(StatusError) in
      guard var delivery = state.deliveries[id] else {
        throw StatusError(.notFound, "there is no delivery \(quoted(id))")
      }
      switch delivery.state {
      case .waiting: return delivery
      case .running, .succeeded, .skipped:
        throw StatusError(
          .failedPrecondition,
          "delivery \(quoted(id)) is \(delivery.state.rawValue): only dead letters are retried"
        )
      case .deadLettered: break
      }
      delivery.state = .waiting
      delivery.pardoned = delivery.attemptCount
      state.deliveries[id] = delivery
      state.ended -= 1
      state.deadLetterCount -= 1
      state.unfinished += 1
      return delivery
    }
    keep(Records(changed: delivery))
    return delivery
  }

  // MARK: Keeping

  /// What a journal is to be told.
  private struct Records: Sendable {
    var changed: Delivery?
    var forgotten: [String] = []
  }

  private func keep(_ records: Records) {
    guard let keep = state.withLock(\.keep), records.changed != nil else { return }
    keep {
      [records.changed?.stateRecord].compactMap(\.self)
        + records.forgotten.flatMap(Delivery.removal)
    }
  }

  /// Keeps memory bounded: half of what has ended goes, the oldest first, but dead letters last.
  private func forgetOldest(_ state: inout State) -> [String] {
    guard state.ended > maximumKept else { return [] }
    var ended: [String] = []
    var dead: [String] = []
    for id in state.order {
      switch state.deliveries[id]?.state {
      case .waiting, .running, nil: break
      case .deadLettered: dead.append(id)
      case .succeeded, .skipped: ended.append(id)
      }
    }
    let forgotten = (ended + dead).prefix(state.ended / 2)
    for id in forgotten { state.deliveries[id] = nil }
    state.order.removeAll { state.deliveries[$0] == nil }
    state.ended -= forgotten.count
    return Array(forgotten)
  }

  // MARK: Looking

  /// In the order they were recorded.
  var deliveries: [Delivery] {
    state.withLock { state in state.order.compactMap { state.deliveries[$0] } }
  }

  subscript(id: String) -> Delivery? { state.withLock { $0.deliveries[id] } }

  var deadLetterCount: Int { state.withLock(\.deadLetterCount) }

  /// Returns once nothing is unfinished, or when the task is cancelled.
  func quiet() async {
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
  func ended(_ ids: [String]) async {
    for id in ids {
      await withCheckedContinuation { continuation in
        let hasEnded = state.withLock { state in
          guard let delivery = state.deliveries[id], !delivery.isEnded,
            !state.orphans.contains(id)
          else { return true }
          state.endWaiters[id, default: []].append(continuation)
          return false
        }
        if hasEnded { continuation.resume() }
      }
    }
  }
}
