package import Store

/// Firestore's methods on top of the store: one for each RPC, from message to message.
///
/// Both gRPC and REST call them.
package struct FirestoreService: Sendable {
  let project: String
  let store: Store
  let newID: @Sendable () -> String
  let heartbeatInterval: Duration
  let function: String?

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - project: The project whose users may call. There may be databases of other projects.
  ///   - newID: A closure that makes the IDs of documents created without one.
  ///   - heartbeatInterval: The time between two heartbeats to a listener.
  ///   - function: The function that alone gets this service's address, or `nil` for the shared
  ///     address.
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
