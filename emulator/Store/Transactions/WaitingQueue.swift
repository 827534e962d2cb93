import Core
import FirestoreModel

/// An operation that waits for the locks of transactions.
///
/// The store's lock guards all mutable state.
final class WaitingOperation: @unchecked Sendable {
  /// The transaction of the operation, or `nil` for a commit outside a transaction.
  let transaction: TransactionID?
  /// The transactions whose locks the operation waits for.
  var blockers: Set<TransactionID>
  /// The changes that a waiting commit would make. Transactions that then want to read the changed
  /// data wait for the commit.
  var changes: [StagedChange]
  /// A closure that retries the operation, and returns whether the operation is done.
  ///
  /// Its second argument indicates whether this is the last attempt.
  var retry: (inout Store.State, Bool) -> Bool = { _, _ in true }
  /// A closure that ends the wait with an error.
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
  /// The wait-for graph: the blockers of each waiting transaction.
  private var edges: [TransactionID: Set<TransactionID>] {
    var edges: [TransactionID: Set<TransactionID>] = [:]
    for operation in queue {
      if let transaction = operation.transaction { edges[transaction] = operation.blockers }
    }
    return edges
  }

  /// Returns the transactions that are reachable in the graph from a set, including the set itself.
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

  /// Returns whether a transaction would deadlock if it waited for the blockers.
  func isCycle(_ transaction: TransactionID?, waitingFor blockers: Set<TransactionID>) -> Bool {
    guard let transaction, !blockers.isEmpty else { return false }
    return Self.reachable(from: blockers, by: edges).contains(transaction)
  }

  /// Returns the youngest transaction in the deadlock that would result if a transaction waited for
  /// the blockers, or `nil` if there would be no deadlock.
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

  /// Ends a transaction, and fails its waiting operations.
  mutating func abort(_ transaction: TransactionID) {
    transactions.end(transaction)
    for operation in queue where operation.transaction == transaction {
      operation.fail(.contention)
    }
    queue.removeAll { $0.transaction == transaction }
  }

  /// Retries the waiting operations that may succeed now, in the order of their arrival.
  ///
  /// - Parameter relenting: A transaction that has released some of its locks.
  mutating func wakeQueue(relenting: TransactionID? = nil) {
    var isProgressing = true
    while isProgressing {
      isProgressing = false
      for operation in queue where isHopeful(operation, relenting) {
        // The retry of another operation may have ended this one.
        guard queue.contains(where: { $0 === operation }), operation.retry(&self, false) else {
          continue
        }
        queue.removeAll { $0 === operation }
        isProgressing = true
      }
    }
  }

  /// Returns whether a retry of an operation may succeed.
  ///
  /// An attempt to commit is costly, so it is made only after a blocker has ended or released
  /// locks.
  private func isHopeful(_ operation: WaitingOperation, _ relenting: TransactionID?) -> Bool {
    operation.changes.isEmpty
      || operation.blockers.contains { $0 == relenting || transactions.transaction($0) == nil }
  }
}
