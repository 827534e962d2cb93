import Core
import FirestoreModel
import FunctionHost
import Store
import Synchronization

/// The deliveries of the emulator: all unfinished ones, and the newest finished ones.
///
/// With a journal, the deliveries survive a restart.
final class Outbox: Sendable {
  /// A closure that enqueues records for the journal, in the order of the changes, without waiting
  /// for the disk.
  typealias Keep = @Sendable (@escaping @Sendable () -> [JournalRecord]) -> Void

  private struct State {
    var deliveries: [String: Delivery] = [:]
    /// The ids, in the order in which the deliveries were recorded.
    var order: [String] = []
    /// The ids of unfinished deliveries whose function is missing. They wait until the function is
    /// installed or registered, perhaps in the next emulator with the same data folder.
    var orphans: Set<String> = []
    /// The ids of deliveries that a task has claimed, until they end or are released.
    var claimed: Set<String> = []
    /// The ids of dead letters from an earlier emulator.
    var inherited: Set<String> = []
    /// The number of deliveries that haven't ended, except those whose function is missing.
    var unfinished = 0
    /// The number of deliveries that have ended and are kept.
    var ended = 0
    /// The approximate size of the ended deliveries' documents and outputs, in bytes.
    var endedBytes = 0
    /// The number of deliveries that this emulator gave up and that weren't retried. It includes
    /// dropped deliveries.
    var deadLetterCount = 0
    /// The waiters for `quiet`, by a unique number.
    var quietWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var quietWaiterCount = 0
    /// The waiters for `ended`, by the delivery's id.
    var endWaiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    var keep: Keep?

    /// Counts a delivery as finished, and returns the waiters to resume.
    mutating func finishedOne(_ id: String) -> [CheckedContinuation<Void, Never>] {
      claimed.remove(id)
      unfinished -= 1
      var waiters = endWaiters.removeValue(forKey: id) ?? []
      if unfinished == 0 {
        waiters += quietWaiters.values
        quietWaiters = [:]
      }
      return waiters
    }
  }

  /// The maximum size of the kept documents and outputs, in bytes.
  private static let maximumBytesKept = 64 << 20

  private let maximumKept: Int
  private let feed: ActivityFeed
  private let state = Mutex(State())

  /// Creates an empty outbox.
  ///
  /// - Parameters:
  ///   - maximumKept: The maximum number of finished deliveries that are kept.
  ///   - feed: The feed that gets each new or changed delivery.
  init(maximumKept: Int, feed: ActivityFeed) {
    self.maximumKept = maximumKept
    self.feed = feed
  }

  // MARK: Additions

  /// Restores deliveries from a journal. The unfinished ones wait until `adopt` is called with
  /// their functions.
  ///
  /// - Parameter keep: The closure that writes later changes to the journal.
  func restore(_ deliveries: [Delivery], keep: @escaping Keep) {
    state.withLock { state in
      state.keep = keep
      for delivery in deliveries {
        state.deliveries[delivery.id] = delivery
        state.order.append(delivery.id)
        if delivery.isEnded {
          state.ended += 1
          state.endedBytes += delivery.bytes
          if delivery.state == .deadLettered { state.inherited.insert(delivery.id) }
        } else {
          state.orphans.insert(delivery.id)
        }
      }
    }
  }

  /// Takes over the restored deliveries that wait for one of these functions.
  ///
  /// - Returns: Their ids.
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

  /// Adds new deliveries, whose events the journal has already recorded.
  func add(_ deliveries: [Delivery]) {
    state.withLock { state in
      for delivery in deliveries {
        state.deliveries[delivery.id] = delivery
        state.order.append(delivery.id)
      }
      state.unfinished += deliveries.count
    }
    for delivery in deliveries { feed.publish(.delivery(delivery.withoutData)) }
  }

  // MARK: Attempts

  /// Claims a waiting delivery for a task that attempts it until it has ended or is released.
  ///
  /// - Returns: The delivery, or `nil` if it isn't waiting or is claimed already.
  func claim(_ id: String) -> Delivery? {
    state.withLock { state in
      guard let delivery = state.deliveries[id], delivery.state == .waiting,
        !state.orphans.contains(id), state.claimed.insert(id).inserted
      else { return nil }
      return delivery
    }
  }

  /// Begins an attempt of a delivery.
  func begin(_ attempt: DeliveryAttempt, of id: String) {
    state.withLock { $0.deliveries[id]?.begin(attempt) }
    publish(id)
  }

  private func publish(_ id: String) {
    feed.publish(self[id].map { .delivery($0.withoutData) })
  }

  /// Counts an invocation of a delivery that fault injection has killed.
  func countKill(of id: String) { state.withLock { $0.deliveries[id]?.kills += 1 } }

  /// Leaves a delivery to the next emulator with the same data folder. `quiet` and `ended` don't
  /// wait for a released delivery.
  func release(_ id: String) {
    let waiters = state.withLock { state in
      state.deliveries[id]?.state = .waiting
      state.orphans.insert(id)
      return state.finishedOne(id)
    }
    publish(id)
    for waiter in waiters { waiter.resume() }
  }

  /// Ends an attempt of a delivery.
  ///
  /// - Parameter next: The time of the next attempt, or `nil` if the delivery has ended.
  func end(_ id: String, _ result: InvocationResult, at now: Timestamp, next: Timestamp?) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard var delivery = state.deliveries.removeValue(forKey: id) else { return [] }
      delivery.end(result, at: now, next: next)
      state.deliveries[id] = delivery
      feed.publish(.delivery(delivery.withoutData))
      guard delivery.isEnded else {
        keep(delivery, &state)
        return []
      }
      state.ended += 1
      state.endedBytes += delivery.bytes
      if delivery.state == .deadLettered { state.deadLetterCount += 1 }
      let waiters = state.finishedOne(id)
      keep(delivery, forgotten: forgetOldest(&state), &state)
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The next step for a delivery that is retried.
  enum Retry {
    /// The delivery has to be scheduled.
    case schedule(Delivery)
    /// The delivery is scheduled, and its wait for the next attempt has to end now.
    case wake(Delivery)
  }

  /// Makes a dead letter wait for a new series of attempts, or ends a delivery's wait for its next
  /// attempt.
  ///
  /// - Throws: `NOT_FOUND`; `FAILED_PRECONDITION` if the delivery is running, has succeeded, was
  ///   skipped, or waits for a missing function.
  func retry(_ id: String, at now: Timestamp) throws(StatusError) -> Retry {
    defer { publish(id) }
    return try state.withLock { state throws(StatusError) in
      guard var delivery = state.deliveries[id] else {
        throw StatusError(.notFound, "there is no delivery \(quoted(id))")
      }
      switch delivery.state {
      case .waiting where state.orphans.contains(id):
        throw StatusError(
          .failedPrecondition,
          "delivery \(quoted(id)) waits for the function \(delivery.function), which is missing: "
            + "put its executable into a functions' folder, or restart the emulator with "
            + "--functions and the function's folder"
        )
      case .waiting:
        delivery.nextAttempt = nil
        state.deliveries[id] = delivery
        return .wake(delivery)
      case .running, .succeeded, .skipped:
        throw StatusError(
          .failedPrecondition,
          "delivery \(quoted(id)) is \(delivery.state.rawValue): only dead letters are retried"
        )
      case .deadLettered: break
      }
      delivery.state = .waiting
      delivery.attemptsBeforeRetry = delivery.attemptCount
      delivery.retried = now
      state.deliveries[id] = delivery
      state.ended -= 1
      state.endedBytes -= delivery.bytes
      if state.inherited.remove(id) == nil { state.deadLetterCount -= 1 }
      state.unfinished += 1
      keep(delivery, &state)
      return .schedule(delivery)
    }
  }

  // MARK: Records

  private func keep(_ delivery: Delivery, forgotten: [String] = [], _ state: inout State) {
    state.keep? {
      [delivery.stateRecord].compactMap(\.self) + forgotten.flatMap(Delivery.removal)
    }
  }

  /// Drops half of the finished deliveries if they exceed a limit: the oldest first, dead letters
  /// last.
  ///
  /// - Returns: The ids of the dropped deliveries.
  private func forgetOldest(_ state: inout State) -> [String] {
    guard state.ended > maximumKept || state.endedBytes > Self.maximumBytesKept else { return [] }
    var ended: [String] = []
    var dead: [String] = []
    for id in state.order {
      switch state.deliveries[id]?.state {
      case .waiting, .running, nil: break
      case .deadLettered: dead.append(id)
      case .succeeded, .skipped: ended.append(id)
      }
    }
    let forgotten = (ended + dead).prefix((state.ended + 1) / 2)
    for id in forgotten {
      state.endedBytes -= state.deliveries.removeValue(forKey: id)?.bytes ?? 0
      state.inherited.remove(id)
    }
    state.order.removeAll { state.deliveries[$0] == nil }
    state.ended -= forgotten.count
    return Array(forgotten)
  }

  // MARK: Queries

  /// All kept deliveries, in the order in which they were recorded.
  var deliveries: [Delivery] {
    state.withLock { state in state.order.compactMap { state.deliveries[$0] } }
  }

  subscript(id: String) -> Delivery? { state.withLock { $0.deliveries[id] } }

  var deadLetterCount: Int { state.withLock(\.deadLetterCount) }

  var unfinishedCount: Int { state.withLock(\.unfinished) }

  /// The numbers of waiting and running deliveries by function, without functions that have none.
  var loads: [String: FunctionLoad] {
    state.withLock { state in
      state.deliveries.values.reduce(into: [:]) { loads, delivery in
        switch delivery.state {
        case .waiting: loads[delivery.function, default: FunctionLoad()].waiting += 1
        case .running: loads[delivery.function, default: FunctionLoad()].running += 1
        case .succeeded, .skipped, .deadLettered: break
        }
      }
    }
  }

  /// The number of deliveries that wait for each missing function.
  var missingFunctions: [String: Int] {
    state.withLock { state in
      state.orphans.reduce(into: [:]) { counts, id in
        if let delivery = state.deliveries[id] { counts[delivery.function, default: 0] += 1 }
      }
    }
  }

  /// The kept deliveries that this emulator gave up.
  var deadLetters: [Delivery] {
    state.withLock { state in
      state.order.compactMap { state.deliveries[$0] }
        .filter { $0.state == .deadLettered && !state.inherited.contains($0.id) }
    }
  }

  /// Waits until no delivery is unfinished, or the task is cancelled.
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
        // A cancellation before the waiter was stored didn't resume it.
        if !isWaiting { continuation.resume() } else if Task.isCancelled { stopWaiting(key) }
      }
    } onCancel: {
      stopWaiting(key)
    }
  }

  private func stopWaiting(_ key: Int) {
    state.withLock { $0.quietWaiters.removeValue(forKey: key) }?.resume()
  }

  /// Waits until these deliveries have ended.
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
