package import Core
import FirestoreModel
package import FirestoreProtos
import GRPC
import Store
import Synchronization

/// A Listen stream, independent of its transport. It handles the requests, and queues the items
/// that `ListenResponses` reads.
///
/// An invalid target is refused, and the stream continues. A request that violates the protocol
/// ends the stream, as in production, because the client and the server may no longer agree on the
/// targets.
package final class ListenSession: Sendable {
  fileprivate struct State {
    var database: DatabaseName?
    /// The numbers of the targets that were added and not removed.
    var targets: Set<Int32> = []
    /// The highest number that any target has had.
    var highest: Int32 = 0
    /// The number of removals that aren't reported to the client yet, by target.
    var removals: [Int32: Int] = [:]
  }

  let store: Store
  let listener = Listener()
  private let service: FirestoreService
  private let caller: RequestContext.Caller
  private let state = Mutex(State())

  package init(_ service: FirestoreService, _ context: RequestContext) {
    self.service = service
    store = service.store
    caller = context.caller
  }

  /// Handles a request. The responses, including errors, are read from `ListenResponses`.
  package func receive(_ request: ProtoListenRequest) {
    do throws(StatusError) {
      try handle(request)
    } catch {
      end(error)
    }
  }

  /// Records that there are no more requests. The stream ends when all waiting responses are sent.
  package func end(_ error: StatusError? = nil) { listener.enqueue(.ended(error)) }

  package func sendHeartbeat() { store.sendHeartbeat(listener) }

  /// Stops listening to all targets, because the stream has ended.
  package func close() { store.unwatchAll(by: listener) }

  /// Removes a target for which the client wants no later changes, after its current result was
  /// sent.
  ///
  /// - Returns: A Boolean value that indicates whether the target was removed here. It is false if
  ///   the client has removed the target, and may have reused its number.
  func forget(_ target: Int32) -> Bool {
    state.withLock { $0.removals[target] == nil && $0.targets.remove(target) != nil }
  }

  /// A Boolean value that indicates whether documents that leave a target are removed by name only,
  /// because the client may not be allowed to read what they have become.
  var hidesLeavingDocuments: Bool {
    if case .admin = caller { return false }
    guard let database = state.withLock(\.database) else { return false }
    return service.rules.file(of: database.project) != nil
  }

  /// Records that a target's removal is being reported to the client.
  func hasRemoved(_ target: Int32) {
    state.withLock { state in
      let rest = (state.removals[target] ?? 0) - 1
      state.removals[target] = rest > 0 ? rest : nil
    }
  }

  private func handle(_ request: ProtoListenRequest) throws(StatusError) {
    let database = try database(request.database)
    switch request.targetChange {
    case .addTarget(let target): try add(target, in: database)
    case .removeTarget(let target):
      // The target may be unknown because it has just been refused, so this isn't an error.
      let isKnown = state.withLock { state in
        guard state.targets.remove(target) != nil else { return false }
        state.removals[target, default: 0] += 1
        return true
      }
      if isKnown { store.unwatch(target, by: listener) }
    case nil: throw StatusError(.invalidArgument, "A listen request must add or remove a target.")
    }
  }

  /// Returns the database of the stream.
  ///
  /// - Parameter name: The database in the request. The first request must have it, and the others
  ///   may leave it empty.
  private func database(_ name: String) throws(StatusError) -> DatabaseName {
    let known = state.withLock(\.database)
    if let known, name.isEmpty || name == known.description { return known }
    let database = try DatabaseName(name)
    guard known == nil else {
      throw StatusError(
        .invalidArgument,
        "All requests of a listen stream must name the same database."
      )
    }
    state.withLock { $0.database = database }
    return database
  }

  /// Adds a target.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid target number, or one that is already in use.
  private func add(_ target: ProtoTarget, in database: DatabaseName) throws(StatusError) {
    let id = try state.withLock { state throws(StatusError) in try state.add(target.targetID) }
    do throws(StatusError) {
      try service.check(caller, in: database)
      var request = try WatchRequest(target, in: database)
      request.check = caller.rights(under: service.rules, in: database)?.watch(request.target)
      try store.watch(request, as: id, by: listener)
    } catch {
      state.withLock { _ = $0.targets.remove(id) }
      listener.enqueue(.refused(id, error))
    }
  }
}

extension ListenSession.State {
  /// Adds a target, and returns its number.
  ///
  /// - Parameter number: The number that the client has chosen, or 0 to let the server choose one.
  fileprivate mutating func add(_ number: Int32) throws(StatusError) -> Int32 {
    guard number >= 0 else {
      throw StatusError(.invalidArgument, "target_id must not be negative.")
    }
    guard number > 0 || highest < .max else {
      throw StatusError(.invalidArgument, "The highest target_id is in use: set one yourself.")
    }
    let number = number == 0 ? highest + 1 : number
    guard targets.insert(number).inserted else {
      throw StatusError(.invalidArgument, "target_id \(number) is already in use.")
    }
    highest = max(highest, number)
    return number
  }
}
