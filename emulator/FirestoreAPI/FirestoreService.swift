package import Authentication
import Core
import FirestoreModel
package import Store

/// Firestore's methods, implemented with the store. Each takes a request message and returns
/// response messages.
///
/// The gRPC and the REST service both call them.
package struct FirestoreService: Sendable {
  let project: String
  let accounts: AccountStore
  let store: Store
  let rules: SecurityRules
  let newID: @Sendable () -> String
  let heartbeats: Heartbeats
  let function: String?
  private let warn: @Sendable (String) -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - project: The project whose users' tokens are accepted. The store may have databases of
  ///     other projects.
  ///   - accounts: The accounts of the project's users.
  ///   - rules: The security rules of all projects.
  ///   - newID: A closure that returns an ID for a document that a client creates without an ID.
  ///   - heartbeatInterval: The time between two heartbeats on a Listen stream.
  ///   - function: The name of the function if the service is on that function's own port, or `nil`
  ///     if it is on the shared port.
  ///   - warn: Called with the error of a user whose token is for another project.
  package init(
    project: String,
    accounts: AccountStore = AccountStore(),
    store: Store,
    rules: SecurityRules = SecurityRules(),
    newID: @escaping @Sendable () -> String,
    heartbeatInterval: Duration = .seconds(45),
    function: String? = nil,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.project = project
    self.accounts = accounts
    self.store = store
    self.rules = rules
    self.newID = newID
    heartbeats = Heartbeats(interval: heartbeatInterval)
    self.function = function
    self.warn = warn
    rules.attach(store)
  }

  /// Checks that a caller may send requests to a database. A project that neither is the emulator's
  /// nor begins with `demo-`, as those of tests do, is probably a mistake.
  ///
  /// - Throws: The errors of `Caller.check`.
  func check(_ caller: RequestContext.Caller, in database: DatabaseName) throws(StatusError) {
    if database.project != project, !database.project.hasPrefix("demo-") {
      warn(
        "a client uses the project \(quoted(database.project)), but this emulator's is "
          + "\(quoted(project)): the pages don't show its data"
      )
    }
    do throws(StatusError) {
      try caller.check(for: database.project)
    } catch {
      warn(error.message)
      throw error
    }
  }
}
