import Core
import FirestoreModel
import Rules
import Store
import Synchronization

/// The rights that security rules give to a caller. It makes the checks that the store calls.
///
/// Each check looks the rules up, so that a request that has waited is decided by the rules that
/// hold then. Administrators, to whom no rules apply, have no instance.
struct CallerRights: Sendable {
  let database: DatabaseName
  private let rules: SecurityRules
  private let caller: RulesCaller
  private let inTransaction: Bool
  private let record: @Sendable (RecordedRequest) -> Void

  /// - Parameters:
  ///   - inTransaction: A Boolean value that indicates whether reads belong to a transaction.
  ///   - record: A closure that gets the decided requests, or `nil` to add them to the log of the
  ///     rules. It is called while the store is locked.
  init(
    of caller: RulesCaller,
    under rules: SecurityRules,
    in database: DatabaseName,
    inTransaction: Bool = false,
    record: (@Sendable (RecordedRequest) -> Void)? = nil
  ) {
    self.caller = caller
    self.rules = rules
    self.database = database
    self.inTransaction = inTransaction
    self.record = record ?? rules.requests.record
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
    let number = rules.requests.nextNumber()
    return { commit throws(StatusError) in
      guard let rules = try projectRules else { return }
      let time = commit.before.time
      let requests = requests(at: time)
      try decide(
        .commit(commit.documents.flatMap(\.writes)),
        number,
        at: time,
        on: commit.documents.map { document in
          requests.commit(
            document.writes,
            to: document.name.path,
            before: document.before?.fields,
            after: document.after?.fields
          )
        },
        contents: commit.documents.flatMap { [$0.before, $0.after] }.compactMap { $0?.fields },
        StagedDocuments(commit: commit, database: database),
        .ofCommit(writeCount: commit.documents.count),
        under: rules
      )
    }
  }

  /// Returns the check of a read of documents by their names. All of them must be allowed.
  func get(_ names: some Collection<DocumentName> & Sendable) -> ReadCheck {
    let number = rules.requests.nextNumber()
    return { state throws(StatusError) in
      let names = Array(names)
      let documents = StoredDocuments(state: state, database: database)
      try check(get: names, documents, as: .get(names), number)
    }
  }

  /// Returns the check of a query or of a list of documents.
  ///
  /// - Parameter query: A query that the store validates before it makes the check.
  func list(_ query: StructuredQuery, below parent: ResourceName) -> ReadCheck {
    let number = rules.requests.nextNumber()
    return { state throws(StatusError) in
      let documents = StoredDocuments(state: state, database: database)
      try check(list: query, below: parent, documents, as: .list(query, below: parent), number)
    }
  }

  /// Returns the check of a listener's target.
  ///
  /// It is made again and again. Only the first decision and a denial are recorded.
  func watch(_ target: WatchTarget) -> WatchCheck {
    let isOpened = Atomic(false)
    return { state throws(StatusError) in
      let record = ReadRecord()
      let documents = StoredDocuments(state: state, database: database, record: record)
      let isFirst = !isOpened.exchange(true, ordering: .relaxed)
      switch target {
      case .query(let query, let parent):
        try check(list: query, below: parent, documents, as: .listen(target), deniedOnly: !isFirst)
      case .documents(_, let names):
        let names = names.sorted { $0.path < $1.path }
        try check(get: names, documents, as: .listen(target), deniedOnly: !isFirst)
      }
      return record.paths
    }
  }

  // MARK: Checks

  private func check(
    get names: [DocumentName],
    _ documents: StoredDocuments,
    as call: RecordedRequest.Call,
    _ number: Int? = nil,
    deniedOnly: Bool = false
  ) throws(StatusError) {
    guard let rules = try projectRules else { return }
    let time = documents.state.now
    let requests = requests(at: time)
    let contents = names.map { documents.document($0.path) }
    try decide(
      call,
      number,
      at: time,
      on: zip(names, contents).map { requests.get($0.path, $1) },
      contents: contents.compactMap(\.self),
      documents,
      .ofCommit(writeCount: names.count),
      under: rules,
      deniedOnly: deniedOnly
    )
  }

  private func check(
    list query: StructuredQuery,
    below parent: ResourceName,
    _ documents: StoredDocuments,
    as call: RecordedRequest.Call,
    _ number: Int? = nil,
    deniedOnly: Bool = false
  ) throws(StatusError) {
    guard let rules = try projectRules else { return }
    let time = documents.state.now
    let requests = try requests(at: time)
      .list(query.normalized, in: parent.path, documents: documents)
    guard !requests.isEmpty else { throw .noMatch }
    try decide(
      call,
      number,
      at: time,
      on: requests,
      contents: [],
      documents,
      .ofQuery(),
      under: rules,
      deniedOnly: deniedOnly
    )
  }

  /// Checks that the rules allow all requests of a call, and records the decisions.
  ///
  /// - Parameters:
  ///   - number: The call's number in the log, or `nil` for a new one.
  ///   - contents: The documents that the call reads or writes.
  ///   - deniedOnly: A Boolean value that indicates whether an allowed call isn't recorded.
  private func decide(
    _ call: RecordedRequest.Call,
    _ number: Int?,
    at time: Timestamp,
    on requests: [RulesRequest],
    contents: [Fields],
    _ documents: any DocumentReader,
    _ budget: RequestBudget,
    under rules: ProjectRules,
    deniedOnly: Bool = false
  ) throws(StatusError) {
    guard !requests.isEmpty else { return }
    let reader = RecordingReader(documents)
    var budget = budget
    var decisions: [RecordedDecision] = []
    var count = 0
    var denial: StatusError?
    for request in requests where denial == nil {
      let decision = rules.decide(request, documents: reader, budget: &budget)
      if case .denied(let reasons) = decision.decision { denial = .denied(reasons) }
      count += 1
      if count <= RecordedRequest.mostDecisions || denial != nil { decisions.append(decision) }
    }
    if denial != nil || !deniedOnly {
      record(
        RecordedRequest(
          number: number ?? self.rules.requests.nextNumber(),
          time: time,
          database: database,
          caller: caller,
          call: call,
          file: rules.file,
          decisions: decisions,
          decisionCount: count,
          documents: reader.documents,
          contents: contents,
          denial: denial?.message
        )
      )
    }
    if let denial { throw denial }
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
