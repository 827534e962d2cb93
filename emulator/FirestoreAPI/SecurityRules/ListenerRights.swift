import Core
import FirestoreModel
import Rules
import Store

/// The rights of a listener. They change with the documents that they depend on, and with the
/// rules.
struct ListenerRights: Sendable {
  private let rules: SecurityRules
  private let caller: RulesCaller

  /// Creates the rights of a request's caller, or returns `nil` for an administrator, who may do
  /// everything.
  init?(of caller: RequestContext.Caller, under rules: SecurityRules) {
    if case .admin = caller { return nil }
    self.rules = rules
    self.caller = caller.inRules
  }

  /// Returns whether a project has rules that the listener must pass.
  func areLimited(in project: String) -> Bool {
    rules.file(of: project) != nil
  }

  /// Returns the check of a target.
  func check(_ target: WatchTarget) -> WatchCheck {
    { state throws(StatusError) in
      let database = target.database
      guard let projectRules = try rules.rules(of: database.project) else { return [] }
      let rights = CallerRights(of: caller, under: projectRules, in: database)
      let record = ReadRecord()
      let documents = StoredDocuments(state: state, database: database, record: record)
      switch target {
      case .query(let query, let parent):
        try rights.decide(list: query, below: parent, documents)
      case .documents(_, let names):
        try rights.decide(get: names.sorted { $0.path < $1.path }, documents)
      }
      return record.paths
    }
  }
}
