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
  /// The replay that these rights are for, or `nil` for a client's request.
  private let replay: Replay?

  /// A replay of a request. Its decision is neither logged nor counted in the coverage.
  struct Replay: Sendable {
    /// The number of the request.
    let number: Int
    /// A closure that gets the decided request. It is called while the store is locked.
    let onDecision: @Sendable (RecordedRequest) -> Void
  }

  /// - Parameter inTransaction: A Boolean value that indicates whether reads belong to a transaction.
  init(
    of caller: RulesCaller,
    under rules: SecurityRules,
    in database: DatabaseName,
    inTransaction: Bool = false,
    replay: Replay? = nil
  ) {
    self.caller = caller
    self.rules = rules
    self.database = database
    self.inTransaction = inTransaction
    self.replay = replay
  }

  /// The rules of the database's project, or `nil` if its data is open.
  private var projectRules: ProjectRules? {
    get throws(StatusError) {
      try rules.rules(of: database.project, isCounted: replay == nil)
    }
  }

  /// A Boolean value that indicates whether the database has rules that the caller must pass.
  var areLimited: Bool {
    get throws(StatusError) { try projectRules != nil }
  }

  /// Returns the check of a commit. Each written document is decided on once.
  func commit() -> CommitCheck {
    let number = newNumber()
    let isDecided = Atomic(false)
    return { commit throws(StatusError) in
      guard let rules = try projectRules else { return }
      let time = commit.before.time
      let requests = requests(at: time)
      try decide(
        .commit(commit.documents.flatMap(\.writes)),
        Recording(number: number, isRepeat: isDecided.exchange(true, ordering: .relaxed)),
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
  func get(_ names: [DocumentName]) -> ReadCheck {
    let number = newNumber()
    let isDecided = Atomic(false)
    return { state throws(StatusError) in
      let isRepeat = isDecided.exchange(true, ordering: .relaxed)
      try check(
        get: names,
        StoredDocuments(state: state, database: database),
        as: .get(names),
        Recording(number: number, isRepeat: isRepeat)
      )
    }
  }

  /// Returns the check of a query or of a list of documents.
  ///
  /// - Parameter query: A query that the store validates before it makes the check.
  func list(_ query: StructuredQuery, below parent: ResourceName) -> ReadCheck {
    let number = newNumber()
    let isDecided = Atomic(false)
    return { state throws(StatusError) in
      let isRepeat = isDecided.exchange(true, ordering: .relaxed)
      try check(
        list: query,
        below: parent,
        StoredDocuments(state: state, database: database),
        as: .list(query, below: parent),
        Recording(number: number, isRepeat: isRepeat)
      )
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
      let recording = Recording(number: nil, deniedOnly: !isFirst)
      switch target {
      case .query(let query, let parent):
        try check(list: query, below: parent, documents, as: .listen(target), recording)
      case .documents(_, let names):
        let names = names.sorted { $0.path < $1.path }
        try check(get: names, documents, as: .listen(target), recording)
      }
      return record.paths
    }
  }

  // MARK: Checks

  /// Returns the number of a new request; a replay has that of its request.
  private func newNumber() -> Int { replay?.number ?? rules.requests.nextNumber() }

  /// How a call is recorded.
  private struct Recording {
    /// The call's number in the log, or `nil` for a new one.
    let number: Int?
    /// A Boolean value that indicates whether the call was decided before, and has waited.
    var isRepeat = false
    /// A Boolean value that indicates whether only a denial is recorded.
    var deniedOnly = false
  }

  private func check(
    get names: [DocumentName],
    _ documents: StoredDocuments,
    as call: RecordedRequest.Call,
    _ recording: Recording
  ) throws(StatusError) {
    guard let rules = try projectRules else { return }
    let time = documents.state.now
    let requests = requests(at: time)
    let contents = names.map { documents.document($0.path) }
    try decide(
      call,
      recording,
      at: time,
      on: zip(names, contents).map { requests.get($0.path, $1) },
      contents: contents.compactMap(\.self),
      documents,
      .ofCommit(writeCount: names.count),
      under: rules
    )
  }

  private func check(
    list query: StructuredQuery,
    below parent: ResourceName,
    _ documents: StoredDocuments,
    as call: RecordedRequest.Call,
    _ recording: Recording
  ) throws(StatusError) {
    guard let rules = try projectRules else { return }
    let time = documents.state.now
    let requests = try requests(at: time)
      .list(query.normalized, in: parent.path, documents: documents)
    guard !requests.isEmpty else { throw .noMatch }
    try decide(
      call,
      recording,
      at: time,
      on: requests,
      contents: [],
      documents,
      .ofQuery(),
      under: rules
    )
  }

  /// Checks that the rules allow all requests of a call, and records the decisions.
  ///
  /// - Parameter contents: The documents that the call reads or writes.
  private func decide(
    _ call: @autoclosure () -> RecordedRequest.Call,
    _ recording: Recording,
    at time: Timestamp,
    on requests: [RulesRequest],
    contents: @autoclosure () -> [Fields],
    _ documents: any DocumentReader,
    _ budget: RequestBudget,
    under rules: ProjectRules
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
    let isRecorded =
      denial != nil || replay != nil
      || !recording.deniedOnly && self.rules.requests.takesAllowed(at: time)
    if isRecorded {
      let request = RecordedRequest(
        number: recording.number ?? newNumber(),
        time: time,
        database: database,
        caller: caller,
        inTransaction: inTransaction,
        call: call(),
        file: rules.file,
        decisions: decisions,
        decisionCount: count,
        documents: reader.documents,
        contents: contents(),
        denial: denial?.message
      )
      if let replay {
        replay.onDecision(request)
      } else {
        self.rules.requests.record(request, isRepeat: recording.isRepeat)
      }
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

  /// The error of a denied request, in the form of Google's emulator.
  fileprivate static func denied(_ reasons: [String]) -> StatusError {
    // Google's text begins with a new line, unless no statement was tried.
    if reasons.count == 1, reasons[0].hasSameBytes(as: noMatch.message) { return noMatch }
    return StatusError(.permissionDenied, "\n" + reasons.joined(separator: ", "))
  }
}
