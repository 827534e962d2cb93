package import Core
import FirestoreModel
import Store
import Synchronization

extension FirestoreService {
  /// Decides on a recorded request again, as if its context's caller sent it now. Nothing is read for
  /// the caller, or changed.
  ///
  /// - Throws: `FAILED_PRECONDITION` if there is nothing to decide: data is open, the caller is an
  ///   administrator, or the request was too large to be kept; the errors of a request whose
  ///   caller or writes aren't valid any more.
  package func replay(
    _ request: RecordedRequest,
    _ context: RequestContext
  ) throws(StatusError) -> RecordedRequest {
    let database = request.database
    try context.caller.check(for: database.project)
    guard let caller = context.caller.rulesCaller else {
      throw StatusError(.failedPrecondition, "rules don't apply to administrators")
    }
    guard let call = request.call else {
      throw StatusError(.failedPrecondition, "the request was too large to be kept")
    }
    let recorded = Mutex<RecordedRequest?>(nil)
    let rights = CallerRights(
      of: caller,
      under: rules,
      in: database,
      inTransaction: request.inTransaction,
      replay: .init(number: request.number) { decided in recorded.withLock { $0 = decided } }
    )
    guard try rights.areLimited else {
      throw StatusError(.failedPrecondition, "no rules decide: all data is open")
    }
    do throws(StatusError) {
      try decide(call, in: database, rights)
    } catch {
      guard let found = recorded.withLock(\.self) else { throw error }
      return found
    }
    guard let found = recorded.withLock(\.self) else {
      throw StatusError(.failedPrecondition, "the request reads and writes nothing")
    }
    return found
  }

  /// Makes the check of a call, without doing anything else.
  ///
  /// - Throws: The error of the check, or of invalid writes.
  private func decide(
    _ call: RecordedRequest.Call,
    in database: DatabaseName,
    _ rights: CallerRights
  ) throws(StatusError) {
    switch call {
    case .commit(let writes): try store.check(writes, in: database, rights.commit())
    case .get(let names): try read(rights.get(names), in: database)
    case .listen(.documents(_, let names)): try read(rights.get(Array(names)), in: database)
    case .list(let query, let parent), .listen(.query(let query, parent: let parent)):
      try read(rights.list(query, below: parent), in: database)
    }
  }

  private func read(_ check: @escaping ReadCheck, in database: DatabaseName) throws(StatusError) {
    // A read of the latest state doesn't wait.
    _ = try store.attemptCheck(check, in: database, .latest)
  }
}
