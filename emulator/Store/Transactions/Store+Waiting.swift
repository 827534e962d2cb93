import Core
import FirestoreModel
import Synchronization

/// What comes of trying an operation once.
enum Step<Success: Sendable> {
  case done(Success)
  case blocked(by: Set<TransactionID>, changes: [StagedChange])
}

extension Store {
  /// What may have to wait for locks; called under the store's lock.
  typealias Operation<Success> =
    @Sendable (inout State, Bool) throws(StatusError) -> Step<Success>

  /// Tries an operation, and puts it into the queue if it has to wait.
  ///
  /// - Parameter operation: called under the store's lock until it isn't blocked; the last time
  ///   with true, when it has waited for as long as is worth while.
  func attempt<Success>(
    for transaction: TransactionID?,
    _ operation: @escaping Operation<Success>
  ) throws(StatusError) -> MaybePending<Success> {
    try state.withLock { state throws(StatusError) in
      // Whether it succeeds or fails, it may have ended a transaction.
      defer { if !state.queue.isEmpty { wakeQueue(&state) } }
      return try attempt(for: transaction, operation, in: &state)
    }
  }

  /// The same for an operation that may commit: a store with a journal does it with the next group.
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
        // It waits in the queue, whatever becomes of the group.
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

  /// Lets all that can go on do so: at once, or with the next group if there is a journal, since
  /// some of it may commit.
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

  /// Does what may commit or let others commit: at once, or with the next group.
  private func perform(_ job: @escaping GroupWriter.Job) {
    guard let writer else { return state.withLock { job(&$0) } }
    writer.submit(to: self, job)
  }
}

extension Store.State {
  /// Ends an operation's waiting, and its transaction.
  fileprivate mutating func giveUp(_ waiting: WaitingOperation, _ error: StatusError) {
    guard queue.contains(where: { $0 === waiting }) else { return }
    waiting.fail(error)
    queue.removeAll { $0 === waiting }
    if let transaction = waiting.transaction { abort(transaction) }
    wakeQueue()
  }
}
