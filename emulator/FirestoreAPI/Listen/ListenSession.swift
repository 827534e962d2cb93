package import Core
import FirestoreModel
package import FirestoreProtos
import GRPC
import Store
import Synchronization

/// One Listen stream, whatever carries it: requests come in, responses are fetched.
///
/// A mistake in a target ends that target; one in the protocol ends the stream, as in production,
/// where a client that has lost count of its targets had better begin anew.
package final class ListenSession: Sendable {
  fileprivate struct State {
    var database: DatabaseName?
    /// Targets that were added and not removed.
    var targets: Set<Int32> = []
    /// The highest number that a target has had.
    var highest: Int32 = 0
    /// How often each was removed without the client's having been told so.
    var removals: [Int32: Int] = [:]
  }

  let store: Store
  let listener = Listener()
  private let state = Mutex(State())

  package init(_ service: FirestoreService) { store = service.store }

  /// Takes a request. What it leads to, errors included, is among the responses.
  package func receive(_ request: ProtoListenRequest) {
    do throws(StatusError) {
      try handle(request)
    } catch {
      end(error)
    }
  }

  /// There are no more requests: the responses end when all is said.
  package func end(_ error: StatusError? = nil) { listener.enqueue(.ended(error)) }

  /// Tells the client that nothing happened.
  package func sendHeartbeat() { store.sendHeartbeat(listener) }

  /// The stream is gone.
  package func close() { store.unwatchAll(by: listener) }

  /// A target that wanted only one answer has had it.
  ///
  /// - Returns: false if the client has removed it; there may be another of its number by now.
  func forget(_ target: Int32) -> Bool {
    state.withLock { $0.removals[target] == nil && $0.targets.remove(target) != nil }
  }

  /// The client is being told that a target is removed.
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
      // Nobody can know whether a target that isn't there was rejected a moment ago.
      let isKnown = state.withLock { state in
        guard state.targets.remove(target) != nil else { return false }
        state.removals[target, default: 0] += 1
        return true
      }
      if isKnown { store.unwatch(target, by: listener) }
    case nil: throw StatusError(.invalidArgument, "A listen request must add or remove a target.")
    }
  }

  /// Every request may name the database, the first one must, and all the same.
  private func database(_ name: String) throws(StatusError) -> DatabaseName {
    let known = state.withLock(\.database)
    if let known, name.isEmpty || name == known.description { return known }
    let database = try DatabaseName(name)
    guard known == nil else {
      throw StatusError(.invalidArgument, "A listen stream is about one database, not two.")
    }
    state.withLock { $0.database = database }
    return database
  }

  /// - Throws: `INVALID_ARGUMENT` for a number that can't be a target's, or is another's.
  private func add(_ target: ProtoTarget, in database: DatabaseName) throws(StatusError) {
    let id = try state.withLock { state throws(StatusError) in try state.add(target.targetID) }
    do throws(StatusError) {
      try store.watch(WatchRequest(target, in: database), as: id, by: listener)
    } catch {
      state.withLock { _ = $0.targets.remove(id) }
      listener.enqueue(.refused(id, error))
    }
  }
}

extension ListenSession.State {
  /// Adds a target by the client's number for it; with 0 the client leaves the choice to the server.
  fileprivate mutating func add(_ number: Int32) throws(StatusError) -> Int32 {
    guard number >= 0 else {
      throw StatusError(.invalidArgument, "target_id must not be negative.")
    }
    guard number > 0 || highest < .max else {
      throw StatusError(.invalidArgument, "There are no more numbers for targets.")
    }
    let number = number == 0 ? highest + 1 : number
    guard targets.insert(number).inserted else {
      throw StatusError(.invalidArgument, "There is a target \(number) already.")
    }
    highest = max(highest, number)
    return number
  }
}
