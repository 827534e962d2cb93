package import Store

/// Firestore's methods over the store: one for each RPC, from message to message.
///
/// gRPC and REST are two doors to them.
package struct FirestoreService: Sendable {
  let store: Store
  let newID: @Sendable () -> String
  let reassuranceInterval: Duration

  /// - Parameters:
  ///   - newID: makes the ids of documents created without one.
  ///   - reassuranceInterval: how often listeners are told the time, whatever happens.
  package init(
    store: Store,
    newID: @escaping @Sendable () -> String,
    reassuranceInterval: Duration = .seconds(45)
  ) {
    self.store = store
    self.newID = newID
    self.reassuranceInterval = reassuranceInterval
  }
}
