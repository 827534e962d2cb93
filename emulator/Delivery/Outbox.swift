import Core
import FirestoreModel
import FunctionHost
import Store
import Synchronization

/// The deliveries there are: all that haven't ended, and the newest of those that have.
///
/// With a journal, what it is told comes back after a restart.
final class Outbox: Sendable {
  /// Takes what is to be kept, in the order of the changes; it only notes it.
  typealias Keep = @Sendable (@escaping @Sendable () -> [JournalRecord]) -> Void

  private struct State {
    var deliveries: [String: Delivery] = [:]
    /// Ids in the order they were recorded.
    var order: [String] = []
    /// Of functions that aren't there: they wait for an emulator that has them.
    var orphans: Set<String> = []
    /// What somebody is about to try, or tries, or will try again.
    var claimed: Set<String> = []
    /// Dead letters of an earlier emulator.
    var inherited: Set<String> = []
    /// What hasn't ended and will.
    var unfinished = 0
    var ended = 0
    /// About how many bytes the documents and outputs of what has ended have.
    var endedBytes = 0
    /// How many were given up by this emulator, kept or not, less those that were retried.
    var deadLetterCount = 0
    /// By a number that tells them apart.
    var quietWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var quietWaiterCount = 0
    var endWaiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    var keep: Keep?

    /// - Returns: who is to be told.
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

  /// Large documents are forgotten sooner.
  private static let maximumBytesKept = 64 << 20

  private let maximumKept: Int
  private let feed: ActivityFeed
  private let state = Mutex(State())

  /// - Parameters:
  ///   - maximumKept: how many deliveries that have ended are kept to look at.
  ///   - feed: is told of each delivery that is new or stands differently.
  init(maximumKept: Int, feed: ActivityFeed) {
    self.maximumKept = maximumKept
    self.feed = feed
  }

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
          state.endedBytes += delivery.bytes
          if delivery.state == .deadLettered { state.inherited.insert(delivery.id) }
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
    for delivery in deliveries { feed.publish(.delivery(delivery.withoutDocuments)) }
  }

  // MARK: Attempts

  /// Takes a delivery that waits, to try it until it has ended or is released.
  ///
  /// - Returns: nil if it doesn't wait, or somebody has taken it.
  func claim(_ id: String) -> Delivery? {
    state.withLock { state in
      guard let delivery = state.deliveries[id], delivery.state == .waiting,
        !state.orphans.contains(id), state.claimed.insert(id).inserted
      else { return nil }
      return delivery
    }
  }

  func begin(_ attempt: DeliveryAttempt, of id: String) {
    state.withLock { $0.deliveries[id]?.begin(attempt) }
    publish(id)
  }

  private func publish(_ id: String) {
    feed.publish(self[id].map { .delivery($0.withoutDocuments) })
  }

  /// An invocation of a delivery was killed on purpose.
  func countKill(of id: String) { state.withLock { $0.deliveries[id]?.kills += 1 } }

  /// Leaves a delivery to the next emulator: nobody here waits for it any more.
  func release(_ id: String) {
    let waiters = state.withLock { state in
      state.deliveries[id]?.state = .waiting
      state.orphans.insert(id)
      return state.finishedOne(id)
    }
    publish(id)
    for waiter in waiters { waiter.resume() }
  }

  /// - Parameter next: when the delivery is tried again; nil ends it.
  func end(_ id: String, _ result: InvocationResult, at now: Timestamp, next: Timestamp?) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard var delivery = state.deliveries.removeValue(forKey: id) else { return [] }
      delivery.end(result, at: now, next: next)
      state.deliveries[id] = delivery
      feed.publish(.delivery(delivery.withoutDocuments))
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

  /// What is to be done for a delivery that is to be tried.
  enum Retry {
    case schedule(Delivery)
    /// It waits for its next attempt, or for its turn, and needn't any longer.
    case wake(Delivery)
  }

  /// Makes a dead letter wait for attempts as if there had been none.
  ///
  /// - Throws: `NOT_FOUND`, or `FAILED_PRECONDITION` for what runs, has succeeded or was skipped.
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
          "delivery \(quoted(id)) waits for \(delivery.function), which isn't here"
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
      delivery.pardoned = delivery.attemptCount
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

  // MARK: Keeping

  private func keep(_ delivery: Delivery, forgotten: [String] = [], _ state: inout State) {
    state.keep? {
      [delivery.stateRecord].compactMap(\.self) + forgotten.flatMap(Delivery.removal)
    }
  }

  /// Keeps memory bounded: half of what has ended goes, the oldest first, but dead letters last.
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

  // MARK: Looking

  /// In the order they were recorded.
  var deliveries: [Delivery] {
    state.withLock { state in state.order.compactMap { state.deliveries[$0] } }
  }

  subscript(id: String) -> Delivery? { state.withLock { $0.deliveries[id] } }

  var deadLetterCount: Int { state.withLock(\.deadLetterCount) }

  var unfinishedCount: Int { state.withLock(\.unfinished) }

  /// How many wait and run, by function; none of functions with nothing to do.
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

  /// The functions that deliveries wait for and that aren't there, with how many.
  var missingFunctions: [String: Int] {
    state.withLock { state in
      state.orphans.reduce(into: [:]) { counts, id in
        if let delivery = state.deliveries[id] { counts[delivery.function, default: 0] += 1 }
      }
    }
  }

  /// Those that this emulator gave up, as far as they are kept.
  var deadLetters: [Delivery] {
    state.withLock { state in
      state.order.compactMap { state.deliveries[$0] }
        .filter { $0.state == .deadLettered && !state.inherited.contains($0.id) }
    }
  }

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
