package import Core
import FirestoreModel
package import FirestoreProtos
import GRPC
import Store
import Synchronization

/// A Listen stream, independent of its transport: requests come in, and responses are fetched.
///
/// An error in a target ends that target. An error in the protocol ends the stream, as in
/// production: a client that has lost count of its targets should start again.
package final class ListenSession: Sendable {
  fileprivate struct State {
    var database: DatabaseName?
    /// The targets that were added and not removed.
    var targets: Set<Int32> = []
    /// The highest number of any target so far.
    var highest: Int32 = 0
    /// The number of removals of each target that the client doesn't know of yet.
    var removals: [Int32: Int] = [:]
  }

  let store: Store
  let listener = Listener()
  private let state = Mutex(State())

  package init(_ service: FirestoreService) { store = service.store }

  /// Handles a request. Its effects, including errors, are among the responses.
  package func receive(_ request: ProtoListenRequest) {
    do throws(StatusError) {
      try handle(request)
    } catch {
      end(error)
    }
  }

  /// Ends the requests. The responses end after everything that is still to be sent.
  package func end(_ error: StatusError? = nil) { listener.enqueue(.ended(error)) }

  /// Sends the client a heartbeat.
  package func sendHeartbeat() { store.sendHeartbeat(listener) }

  /// Closes the session, because the stream has ended.
  package func close() { store.unwatchAll(by: listener) }

  /// Removes a target that asked for only one result, after the result was sent.
  ///
  /// - Returns: false if the client has removed the target. Its number may then be in use again.
  func forget(_ target: Int32) -> Bool {
    state.withLock { $0.removals[target] == nil && $0.targets.remove(target) != nil }
  }

  /// Records that the client is being told of a target's removal.
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
      // The target may be unknown because it was refused a moment ago, so this is no error.
      let isKnown = state.withLock { state in
        guard state.targets.remove(target) != nil else { return false }
        state.removals[target, default: 0] += 1
        return true
      }
      if isKnown { store.unwatch(target, by: listener) }
    case nil: throw StatusError(.invalidArgument, "A listen request must add or remove a target.")
    }
  }

  /// Returns the database of the stream. The first request must name it, and others may repeat it.
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

  /// Adds a target.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a number that is invalid, or that another target has.
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
  /// Adds a target by the client's number. If that is 0, the server chooses the number.
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
