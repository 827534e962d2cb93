import Core
import FirestoreModel

/// An operation that waits until others let go of what it needs.
///
/// All of it is guarded by the store's lock.
final class WaitingOperation: @unchecked Sendable {
  /// What the operation belongs to; nil for a commit outside of transactions.
  let transaction: TransactionID?
  /// Whose locks it waits for.
  var blockers: Set<TransactionID>
  /// What a commit would change: reads that come later wait behind it.
  var changes: [StagedChange]
  /// Tries again, perhaps for the last time; true if there is nothing to wait for any more.
  var retry: (inout Store.State, Bool) -> Bool = { _, _ in true }
  /// Ends the waiting with an error.
  var fail: (StatusError) -> Void = { _ in }

  init(
    _ transaction: TransactionID?,
    blockers: Set<TransactionID>,
    changes: [StagedChange]
  ) {
    self.transaction = transaction
    self.blockers = blockers
    self.changes = changes
  }
}

extension StatusError {
  static var contention: StatusError {
    StatusError(.aborted, "Too much contention on these documents. Please try again.")
  }
}

extension Store.State {
  /// Whom each waiting transaction waits for.
  private var edges: [TransactionID: Set<TransactionID>] {
    var edges: [TransactionID: Set<TransactionID>] = [:]
    for operation in queue {
      if let transaction = operation.transaction { edges[transaction] = operation.blockers }
    }
    return edges
  }

  /// What can be come to from some transactions, themselves included.
  private static func reachable(
    from start: Set<TransactionID>,
    by edges: [TransactionID: Set<TransactionID>]
  ) -> Set<TransactionID> {
    var found = start
    var frontier = Array(start)
    while let transaction = frontier.popLast() {
      for next in edges[transaction] ?? [] where found.insert(next).inserted {
        frontier.append(next)
      }
    }
    return found
  }

  /// Whether a transaction that waited for others would wait for itself.
  func isCycle(_ transaction: TransactionID?, waitingFor blockers: Set<TransactionID>) -> Bool {
    guard let transaction, !blockers.isEmpty else { return false }
    return Self.reachable(from: blockers, by: edges).contains(transaction)
  }

  /// The youngest transaction of those that wait for each other in a circle with this one; nil if
  /// none does.
  func victim(
    _ transaction: TransactionID,
    waitingFor blockers: Set<TransactionID>
  ) -> TransactionID? {
    var edges = edges
    let ahead = Self.reachable(from: blockers, by: edges)
    guard ahead.contains(transaction) else { return nil }
    edges[transaction] = blockers
    var reversed: [TransactionID: Set<TransactionID>] = [:]
    for (from, to) in edges {
      for other in to { reversed[other, default: []].insert(from) }
    }
    let circle = ahead.intersection(Self.reachable(from: [transaction], by: reversed))
    return circle.max { TransactionTable.isOlder($0, $1) }
  }

  /// Ends a transaction and whatever it waits for.
  mutating func abort(_ transaction: TransactionID) {
    transactions.end(transaction)
    for operation in queue where operation.transaction == transaction {
      operation.fail(.contention)
    }
    queue.removeAll { $0.transaction == transaction }
  }

  /// Lets all that can go on do so, in the order of their coming.
  ///
  /// - Parameter relenting: a transaction that gave up some of its locks.
  mutating func wakeQueue(relenting: TransactionID? = nil) {
    var isProgressing = true
    while isProgressing {
      isProgressing = false
      for operation in queue where isHopeful(operation, relenting) {
        // Another one's going on may have ended this one.
        guard queue.contains(where: { $0 === operation }), operation.retry(&self, false) else {
          continue
        }
        queue.removeAll { $0 === operation }
        isProgressing = true
      }
    }
  }

  /// Whether trying again may help: commits are costly to try, and need all of those they wait for.
  private func isHopeful(_ operation: WaitingOperation, _ relenting: TransactionID?) -> Bool {
    operation.changes.isEmpty
      || operation.blockers.contains { $0 == relenting || transactions.transaction($0) == nil }
  }
}
