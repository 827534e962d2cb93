package import Store

/// Firestore's methods over the store: one for each RPC, from message to message.
///
/// gRPC and REST are two doors to them.
package struct FirestoreService: Sendable {
  let store: Store
  let newID: @Sendable () -> String

  /// - Parameter newID: makes the ids of documents created without one.
  package init(store: Store, newID: @escaping @Sendable () -> String) {
    self.store = store
    self.newID = newID
  }
}
