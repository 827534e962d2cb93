import Synchronization

/// A client's interest in a node, or in some of its children.
///
/// The closures are called while the database is locked, in the order of the changes. They must
/// return at once and must not use the database.
final class TreeListener: Sendable {
  let path: TreePath
  let query: TreeQuery
  /// The listener's user. It changes when another user signs in on the connection.
  let caller: Mutex<DatabaseCaller>
  let onUpdate: @Sendable (TreeUpdate) -> Void
  /// Called with the listener, which is then removed, when the rules no longer let the user read.
  let onCancel: @Sendable (TreeListener) -> Void

  init(
    path: TreePath,
    query: TreeQuery,
    caller: DatabaseCaller,
    onUpdate: @escaping @Sendable (TreeUpdate) -> Void,
    onCancel: @escaping @Sendable (TreeListener) -> Void
  ) {
    self.path = path
    self.query = query
    self.caller = Mutex(caller)
    self.onUpdate = onUpdate
    self.onCancel = onCancel
  }
}
