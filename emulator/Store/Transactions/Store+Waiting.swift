import Core
import FirestoreModel
import Synchronization

/// The outcome of one attempt at an operation.
enum Step<Success: Sendable> {
  case done(Success)
  case blocked(by: Set<TransactionID>, changes: [StagedChange])
}

extension Store {
  /// A closure that performs an operation unless locks block it.
  ///
  /// It is called under the store's lock. Its second argument indicates whether this is the last
  /// attempt.
  typealias Operation<Success> =
    @Sendable (inout State, Bool) throws(StatusError) -> Step<Success>

  /// Tries an operation. If locks block it, adds it to the queue.
  ///
  /// - Parameter operation: A closure that is called again until it isn't blocked. The last attempt
  ///   is made when the wait reaches its limit.
  func attempt<Success>(
    for transaction: TransactionID?,
    _ operation: @escaping Operation<Success>
  ) throws(StatusError) -> MaybePending<Success> {
    try state.withLock { state throws(StatusError) in
      // The operation may have ended a transaction for which other operations wait.
      defer { if !state.queue.isEmpty { wakeQueue(&state) } }
      return try attempt(for: transaction, operation, in: &state)
    }
  }

  /// Tries an operation that may commit. If the store has a journal, the attempt is part of the
  /// next group.
  func attemptCommitting<Success>(
    for transaction: TransactionID?,
    _ operation: @escaping Operation<Success>
  ) throws(StatusError) -> MaybePending<Success> {
    guard let writer else { return try attempt(for: transaction, operation) }
    return submit(operation, for: transaction, to: writer)
  }

  private func submit<Success>(
    _ operation: @escaping Operation<Success>,
    for transaction: TransactionID?,
    to writer: GroupWriter
  ) -> MaybePending<Success> {
    let promise = Promise<MaybePending<Success>>()
    writer.submit(to: self) { state in
      do throws(StatusError) {
        let attempt = try self.attempt(for: transaction, operation, in: &state)
        switch attempt {
        case .done: state.answer(promise, .success(attempt))
        // The operation stays in the queue, even if the group fails.
        case .blocked: promise.complete(.success(attempt))
        }
      } catch {
        state.answer(promise, .failure(error))
      }
      state.wakeQueue()
    }
    return .blocked { () async throws(StatusError) in
      try await promise.value.get().value()
    }
  }

  private func attempt<Success>(
    for transaction: TransactionID?,
    _ operation: @escaping Operation<Success>,
    in state: inout State
  ) throws(StatusError) -> MaybePending<Success> {
    switch try operation(&state, false) {
    case .done(let success): return .done(success)
    case .blocked(let blockers, let changes):
      let waiting = WaitingOperation(transaction, blockers: blockers, changes: changes)
      let promise = Promise<Success>()
      waiting.retry = { [unowned waiting] state, isLast in
        do throws(StatusError) {
          switch try operation(&state, isLast) {
          case .done(let success):
            state.answer(promise, .success(success))
          case .blocked(let blockers, let changes):
            waiting.blockers = blockers
            waiting.changes = changes
            return false
          }
        } catch {
          state.answer(promise, .failure(error))
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

  /// Retries the waiting operations that may succeed now.
  ///
  /// If there is a journal, the retries are part of the next group, because some of the operations
  /// may commit.
  ///
  /// - Parameter relenting: A transaction that has released some of its locks.
  func wakeQueue(_ state: inout State, relenting: TransactionID? = nil) {
    guard let writer else { return state.wakeQueue(relenting: relenting) }
    guard !state.queue.isEmpty else { return }
    writer.submit(to: self) { $0.wakeQueue(relenting: relenting) }
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
    perform { state in
      guard state.queue.contains(where: { $0 === waiting }) else { return }
      guard waiting.retry(&state, true) else { return state.giveUp(waiting, .contention) }
      state.queue.removeAll { $0 === waiting }
      state.wakeQueue()
    }
  }

  private func giveUp(_ waiting: WaitingOperation, _ error: StatusError) {
    perform { $0.giveUp(waiting, error) }
  }

  /// Runs a job that may commit or allow other operations to commit.
  ///
  /// It runs at once or, if there is a journal, as part of the next group.
  private func perform(_ job: @escaping GroupWriter.Job) {
    guard let writer else { return state.withLock { job(&$0) } }
    writer.submit(to: self, job)
  }
}

extension Store.State {
  /// Fails a waiting operation with an error, and aborts its transaction.
  fileprivate mutating func giveUp(_ waiting: WaitingOperation, _ error: StatusError) {
    guard queue.contains(where: { $0 === waiting }) else { return }
    waiting.fail(error)
    queue.removeAll { $0 === waiting }
    if let transaction = waiting.transaction { abort(transaction) }
    wakeQueue()
  }
}
