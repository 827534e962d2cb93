package import Store

/// Firestore's methods over the store: one for each RPC, from message to message.
///
/// gRPC and REST are two doors to them.
package struct FirestoreService: Sendable {
  let project: String
  let store: Store
  let newID: @Sendable () -> String
  let heartbeatInterval: Duration
  let function: String?

  /// - Parameters:
  ///   - project: the one whose users may ask. There may be databases of others.
  ///   - newID: makes the ids of documents created without one.
  ///   - heartbeatInterval: how often listeners are told the time, whatever happens.
  ///   - function: the only one that is told this service's address; nil for everybody's.
  package init(
    project: String,
    store: Store,
    newID: @escaping @Sendable () -> String,
    heartbeatInterval: Duration = .seconds(45),
    function: String? = nil
  ) {
    self.project = project
    self.store = store
    self.newID = newID
    self.heartbeatInterval = heartbeatInterval
    self.function = function
  }
}
