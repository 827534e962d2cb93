import FirestoreModel
import RPCStatus

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
  /// Tries again; true if there is nothing to wait for any more.
  var retry: (inout Store.State) -> Bool = { _ in true }
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
  /// Everybody that the waiting of some transactions depends on, themselves included.
  private func reachable(from start: Set<TransactionID>) -> Set<TransactionID> {
    var found = start
    var frontier = start
    while !frontier.isEmpty {
      var next: Set<TransactionID> = []
      for operation in queue {
        guard let transaction = operation.transaction, frontier.contains(transaction) else {
          continue
        }
        next.formUnion(operation.blockers)
      }
      frontier = next.subtracting(found)
      found.formUnion(next)
    }
    return found
  }

  /// Whether a transaction that waited for others would wait for itself.
  func isCycle(_ transaction: TransactionID?, waitingFor blockers: Set<TransactionID>) -> Bool {
    transaction.map { reachable(from: blockers).contains($0) } ?? false
  }

  /// The youngest transaction of those that wait for each other in a circle with this one.
  func victim(_ transaction: TransactionID, waitingFor blockers: Set<TransactionID>)
    -> TransactionID
  {
    let circle = reachable(from: blockers).filter {
      $0 == transaction || reachable(from: [$0]).contains(transaction)
    }
    return circle.max { TransactionTable.isOlder($0, $1) } ?? transaction
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
        guard queue.contains(where: { $0 === operation }), operation.retry(&self) else { continue }
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
