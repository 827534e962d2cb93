import Core
import FirestoreModel
import Rules
import Store

/// The rights that security rules give to a caller. It makes the checks that the store calls.
///
/// Each check looks the rules up, so that a request that has waited is decided by the rules that
/// hold then. Administrators, to whom no rules apply, have no instance.
struct CallerRights: Sendable {
  let database: DatabaseName
  private let rules: SecurityRules
  private let caller: RulesCaller
  private let inTransaction: Bool

  /// - Parameter inTransaction: A Boolean value that indicates whether reads belong to a
  ///   transaction.
  init(
    of caller: RulesCaller,
    under rules: SecurityRules,
    in database: DatabaseName,
    inTransaction: Bool = false
  ) {
    self.caller = caller
    self.rules = rules
    self.database = database
    self.inTransaction = inTransaction
  }

  /// The rules of the database's project, or `nil` if its data is open.
  private var projectRules: ProjectRules? {
    get throws(StatusError) { try rules.rules(of: database.project) }
  }

  /// A Boolean value that indicates whether the database has rules that the caller must pass.
  var areLimited: Bool {
    get throws(StatusError) { try projectRules != nil }
  }

  /// The check of a commit. Each written document is decided on once.
  var commit: CommitCheck {
    { commit throws(StatusError) in
      guard let rules = try projectRules else { return }
      let requests = requests(at: commit.before.time)
      let documents = StagedDocuments(commit: commit, database: database)
      var budget = RequestBudget.ofCommit(writeCount: commit.documents.count)
      for document in commit.documents {
        let request = requests.commit(
          document.writes,
          to: document.name.path,
          before: document.before?.fields,
          after: document.after?.fields
        )
        try rules.check(request, documents, &budget)
      }
    }
  }

  /// Returns the check of a read of documents by their names. All of them must be allowed.
  func get(_ names: some Collection<DocumentName> & Sendable) -> ReadCheck {
    { state throws(StatusError) in
      try check(get: names, StoredDocuments(state: state, database: database))
    }
  }

  /// Returns the check of a query or of a list of documents.
  ///
  /// - Parameter query: A query that the store validates before it makes the check.
  func list(_ query: StructuredQuery, below parent: ResourceName) -> ReadCheck {
    { state throws(StatusError) in
      try check(list: query, below: parent, StoredDocuments(state: state, database: database))
    }
  }

  /// Returns the check of a listener's target.
  func watch(_ target: WatchTarget) -> WatchCheck {
    { state throws(StatusError) in
      let record = ReadRecord()
      let documents = StoredDocuments(state: state, database: database, record: record)
      switch target {
      case .query(let query, let parent): try check(list: query, below: parent, documents)
      case .documents(_, let names):
        try check(get: names.sorted { $0.path < $1.path }, documents)
      }
      return record.paths
    }
  }

  // MARK: Checks

  private func check(
    get names: some Collection<DocumentName>,
    _ documents: StoredDocuments
  ) throws(StatusError) {
    guard let rules = try projectRules else { return }
    let requests = requests(at: documents.state.now)
    var budget = RequestBudget.ofCommit(writeCount: names.count)
    for name in names {
      let fields = documents.document(name.path)
      try rules.check(requests.get(name.path, fields), documents, &budget)
    }
  }

  private func check(
    list query: StructuredQuery,
    below parent: ResourceName,
    _ documents: StoredDocuments
  ) throws(StatusError) {
    guard let rules = try projectRules else { return }
    let requests = try requests(at: documents.state.now)
      .list(query.normalized, in: parent.path, documents: documents)
    guard !requests.isEmpty else { throw .noMatch }
    var budget = RequestBudget.ofQuery()
    for request in requests { try rules.check(request, documents, &budget) }
  }

  /// Returns the requests of a call.
  ///
  /// Their time is equal to the server timestamps that a commit at that time stores.
  private func requests(at time: Timestamp) -> FirestoreRequests {
    FirestoreRequests(
      database: database,
      caller: caller,
      time: time.truncatedToMilliseconds,
      inTransaction: inTransaction
    )
  }
}

extension ProjectRules {
  /// Checks that the rules allow a request.
  fileprivate func check(
    _ request: RulesRequest,
    _ documents: any DocumentReader,
    _ budget: inout RequestBudget
  ) throws(StatusError) {
    switch decide(request, documents: documents, budget: &budget) {
    case .allowed: return
    case .denied(let reasons): throw .denied(reasons)
    }
  }
}

extension StatusError {
  static let noMatch = StatusError(.permissionDenied, "No matching allow statements")

  /// The most reasons that a denied request's error names.
  private static let mostReasons = 20

  /// The error of a denied request, in the form of Google's emulator.
  ///
  /// If there are too many reasons to name, those of failed evaluations come first.
  fileprivate static func denied(_ reasons: [String]) -> StatusError {
    // Google's text begins with a new line, unless no statement was tried.
    if reasons.count == 1, reasons[0].hasSameBytes(as: noMatch.message) { return noMatch }
    var named = reasons
    if reasons.count > mostReasons {
      let isFalse = { (reason: String) in reason.utf8.starts(with: "false ".utf8) }
      named = Array((reasons.filter { !isFalse($0) } + reasons.filter(isFalse)).prefix(mostReasons))
      named.append("and \(reasons.count - mostReasons) more")
    }
    return StatusError(.permissionDenied, "\n" + named.joined(separator: ", "))
  }
}
