import Core
import FirestoreModel
import Rules
import Store

/// The rights that security rules give to a caller. It makes the checks that the store calls.
///
/// Callers to whom no rules apply have no instance.
struct CallerRights: Sendable {
  let database: DatabaseName
  private let rules: ProjectRules
  private let caller: RulesCaller
  private let inTransaction: Bool

  /// - Parameter inTransaction: A Boolean value that indicates whether reads belong to a
  ///   transaction.
  init(
    of caller: RulesCaller,
    under rules: ProjectRules,
    in database: DatabaseName,
    inTransaction: Bool = false
  ) {
    self.caller = caller
    self.rules = rules
    self.database = database
    self.inTransaction = inTransaction
  }

  /// The check of a commit. Each written document is decided on once.
  var commit: CommitCheck {
    { commit throws(StatusError) in
      let requests = requests(at: commit.before.time)
      let documents = StagedDocuments(commit: commit, database: database)
      var accesses = DocumentAccesses.ofCommit(writeCount: commit.documents.count)
      for document in commit.documents {
        let request = requests.commit(
          document.writes,
          to: document.name.path,
          before: document.before?.fields,
          after: document.after?.fields
        )
        try decide(request, documents, &accesses)
      }
    }
  }

  /// Returns the check of a read of documents by their names. All of them must be allowed.
  func get(_ names: some Collection<DocumentName> & Sendable) -> ReadCheck {
    { state throws(StatusError) in
      try decide(get: names, StoredDocuments(state: state, database: database))
    }
  }

  /// Returns the check of a query or of a list of documents.
  ///
  /// - Parameter query: A query that the store validates before it makes the check.
  func list(_ query: StructuredQuery, below parent: ResourceName) -> ReadCheck {
    { state throws(StatusError) in
      try decide(
        list: query,
        below: parent,
        StoredDocuments(state: state, database: database)
      )
    }
  }

  // MARK: Decisions

  func decide(
    get names: some Collection<DocumentName>,
    _ documents: StoredDocuments
  ) throws(StatusError) {
    let requests = requests(at: documents.state.now)
    var accesses = DocumentAccesses.ofCommit(writeCount: names.count)
    for name in names {
      let fields = documents.document(name.path)
      try decide(requests.get(name.path, fields), documents, &accesses)
    }
  }

  func decide(
    list query: StructuredQuery,
    below parent: ResourceName,
    _ documents: StoredDocuments
  ) throws(StatusError) {
    let requests = try requests(at: documents.state.now)
      .list(query.normalized, in: parent.path, documents: documents)
    guard !requests.isEmpty else { throw .noMatch }
    var accesses = DocumentAccesses.ofQuery
    for request in requests { try decide(request, documents, &accesses) }
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

  private func decide(
    _ request: RulesRequest,
    _ documents: some DocumentReader,
    _ accesses: inout DocumentAccesses
  ) throws(StatusError) {
    switch rules.decide(request, documents: documents, accesses: &accesses) {
    case .allowed: return
    case .denied(let reasons): throw .denied(reasons)
    }
  }
}

extension StatusError {
  static let noMatch = StatusError(.permissionDenied, "No matching allow statements")

  /// The error of a method that only administrators may call.
  ///
  /// - Parameter what: What the method does, such as `Batch writes`.
  static func administratorsOnly(_ what: String) -> StatusError {
    StatusError(.permissionDenied, "\(what) require admin authentication.")
  }

  /// The most reasons that a denied request's error names.
  private static let mostReasons = 20

  /// The error of a denied request, in the form of Google's emulator.
  fileprivate static func denied(_ reasons: [String]) -> StatusError {
    // Google's text begins with a new line, unless no statement was tried.
    if reasons.count == 1, reasons[0].hasSameBytes(as: noMatch.message) { return noMatch }
    var named = Array(reasons.prefix(mostReasons))
    if named.count < reasons.count { named.append("and \(reasons.count - named.count) more") }
    return StatusError(.permissionDenied, "\n" + named.joined(separator: ", "))
  }
}
