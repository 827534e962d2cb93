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
    let rights = CallerRights(of: caller, under: rules, in: database) { request in
      recorded.withLock { $0 = request }
    }
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

  /// Makes the checks of a call, without doing anything else.
  ///
  /// - Throws: The error of a check; after an allowed commit, an error, too.
  private func decide(
    _ call: RecordedRequest.Call,
    in database: DatabaseName,
    _ rights: CallerRights
  ) throws(StatusError) {
    switch call {
    case .commit(let writes):
      let check = rights.commit
      _ = try store.attemptCommit(writes, in: database) { commit throws(StatusError) in
        try check(commit)
        throw StatusError(.aborted, "a replay changes nothing")
      }
    case .get(let names): _ = try store.attemptCheck(rights.get(names), in: database, .latest)
    case .list(let query, let parent):
      _ = try store.attemptCheck(rights.list(query, below: parent), in: database, .latest)
    case .listen(.query(let query, parent: let parent)):
      _ = try store.attemptCheck(rights.list(query, below: parent), in: database, .latest)
    case .listen(.documents(_, let names)):
      _ = try store.attemptCheck(rights.get(names), in: database, .latest)
    }
  }
}
