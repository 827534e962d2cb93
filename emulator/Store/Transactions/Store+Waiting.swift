import FirestoreModel
import RPCStatus
import Synchronization

/// What comes of trying an operation once.
enum Step<Success: Sendable> {
  case done(Success)
  case blocked(by: Set<TransactionID>, changes: [StagedChange])
}

extension Store {
  /// Tries an operation, and puts it into the queue if it has to wait.
  ///
  /// - Parameter operation: called under the store's lock until it isn't blocked; the last time
  ///   with true, when it has waited for as long as is worth while.
  func attempt<Success>(
    for transaction: TransactionID?,
    _ operation: @escaping @Sendable (inout State, Bool) throws(StatusError) -> Step<Success>
  ) throws(StatusError) -> Attempt<Success> {
    try state.withLock { state throws(StatusError) in
      // Whether it succeeds or fails, it may have ended a transaction.
      defer { if !state.queue.isEmpty { state.wakeQueue() } }
      switch try operation(&state, false) {
      case .done(let success): return .done(success)
      case .blocked(let blockers, let changes):
        let waiting = WaitingOperation(transaction, blockers: blockers, changes: changes)
        let promise = Promise<Success>()
        waiting.retry = { [unowned waiting] state, isLast in
          do throws(StatusError) {
            switch try operation(&state, isLast) {
            case .done(let success):
              promise.complete(.success(success))
            case .blocked(let blockers, let changes):
              waiting.blockers = blockers
              waiting.changes = changes
              return false
            }
          } catch {
            promise.complete(.failure(error))
          }
          return true
        }
        waiting.fail = { promise.complete(.failure($0)) }
        state.queue.append(waiting)
        return .blocked { () async throws(StatusError) in
          try await self.wait(for: promise, of: waiting)
        }
      }
    }
  }

  private func wait<Success>(
    for promise: Promise<Success>,
    of waiting: WaitingOperation
  ) async throws(StatusError) -> Success {
    let limit = limits.lockWait
    let result = await withTaskCancellationHandler {
      await withTaskGroup(of: Result<Success, StatusError>?.self) { group in
        group.addTask { await promise.value }
        group.addTask {
          guard (try? await Task.sleep(for: limit)) != nil else { return nil }
          self.tryOnceMore(waiting)
          return nil
        }
        while let result = await group.next() {
          guard let result else { continue }
          group.cancelAll()
          return result
        }
        return .failure(StatusError(.cancelled, "The request was cancelled."))
      }
    } onCancel: {
      giveUp(waiting, StatusError(.cancelled, "The request was cancelled."))
    }
    return try result.get()
  }

  private func tryOnceMore(_ waiting: WaitingOperation) {
    state.withLock { state in
      guard state.queue.contains(where: { $0 === waiting }), waiting.retry(&state, true) else {
        return
      }
      state.queue.removeAll { $0 === waiting }
      state.wakeQueue()
    }
    giveUp(waiting, .contention)
  }

  /// Ends an operation's waiting, and its transaction.
  private func giveUp(_ waiting: WaitingOperation, _ error: StatusError) {
    state.withLock { state in
      guard state.queue.contains(where: { $0 === waiting }) else { return }
      waiting.fail(error)
      state.queue.removeAll { $0 === waiting }
      if let transaction = waiting.transaction { state.abort(transaction) }
      state.wakeQueue()
    }
  }
}

/// A result that comes once, and whoever waits for it.
private final class Promise<Success: Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Result<Success, StatusError>, Never>

  private enum State {
    case pending(Continuation?)
    case completed(Result<Success, StatusError>)
  }

  private let state = Mutex(State.pending(nil))

  /// What comes after the first result is dropped.
  func complete(_ result: Result<Success, StatusError>) {
    let continuation = state.withLock { state -> Continuation? in
      guard case .pending(let continuation) = state else { return nil }
      state = .completed(result)
      return continuation
    }
    continuation?.resume(returning: result)
  }

  var value: Result<Success, StatusError> {
    get async {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> Result<Success, StatusError>? in
          if case .completed(let result) = state { return result }
          state = .pending(continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    }
  }
}
