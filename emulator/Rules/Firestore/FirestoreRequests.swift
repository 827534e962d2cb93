package import Core
package import FirestoreModel

/// The requests that one call to Firestore asks its rules about.
///
/// Rules are asked before preconditions are checked, and after the call is validated.
package struct FirestoreRequests: Sendable {
  let database: DatabaseName
  let caller: RulesCaller
  let time: Timestamp
  let inTransaction: Bool

  /// - Parameters:
  ///   - time: The time of the call. A server timestamp in the documents after a commit is equal to
  ///     it.
  ///   - inTransaction: A Boolean value that indicates whether a read belongs to a transaction.
  package init(
    database: DatabaseName,
    caller: RulesCaller,
    time: Timestamp,
    inTransaction: Bool = false
  ) {
    self.database = database
    self.caller = caller
    self.time = time
    self.inTransaction = inTransaction
  }

  /// Returns the request for a read of a document by its name.
  ///
  /// - Parameter fields: The document's fields, or `nil` if the document doesn't exist.
  package func get(_ path: ResourcePath, _ fields: Fields?) -> RulesRequest {
    let segments = segments(of: path)
    return request(
      .get,
      at: segments.map { .named($0) },
      path: .path(RulesPath(segments)),
      resource: resource(segments, fields),
      .get
    )
  }

  /// Returns the request for the writes of a commit to one document.
  ///
  /// Rules are asked once for each document of a commit, however many of the writes are to it.
  ///
  /// - Parameters:
  ///   - writes: The commit's writes to the document, at least one, in their order. The writes and
  ///     whether the document exists decide the method: `create`, `update`, `delete`, or `get` for
  ///     a write that only verifies.
  ///   - before: The document's fields before the commit, or `nil` if it doesn't exist.
  ///   - after: The fields after all writes of the commit, with transforms applied, or `nil` if the
  ///     document doesn't exist then.
  package func commit(
    _ writes: some BidirectionalCollection<Write>,
    to path: ResourcePath,
    before: Fields?,
    after: Fields?
  ) -> RulesRequest {
    let segments = segments(of: path)
    return request(
      RulesMethod(of: writes, existing: before != nil),
      at: segments.map { .named($0) },
      path: .path(RulesPath(segments)),
      resource: resource(segments, before),
      .commit(Array(writes), after: resource(segments, after))
    )
  }

  /// Returns the requests for a query or a list of documents. All of them must be allowed.
  ///
  /// There is one request for each alternative of the query's filter, because the rules must allow
  /// whatever documents the query can find.
  ///
  /// - Parameters:
  ///   - query: A validated query; for a list of documents, one with the page's size as its limit.
  ///   - parent: The document above the collections, or the root.
  ///   - documents: The documents that the query may name by `__name__`.
  /// - Throws: `INVALID_ARGUMENT` if the filter has too many alternatives.
  package func list(
    _ query: StructuredQuery,
    in parent: ResourcePath,
    documents: some DocumentReader
  ) throws(StatusError) -> [RulesRequest] {
    try FilterAlternative.all(of: query.filter).map { alternative in
      listRequest(query, in: parent, alternative, documents: documents)
    }
  }

  // MARK: Values

  /// Returns a path's segments with those of the database before them.
  func segments(of path: ResourcePath) -> [String] {
    ["databases", database.database, "documents"] + path.segments
  }

  /// Returns the variable of a document: its fields and its name, or null if it doesn't exist.
  func resource(_ segments: [String], _ fields: Fields?) -> RulesValue {
    fields.map { .resource($0, at: segments) } ?? .null
  }

  /// Returns a request with the members that all requests have and with those of its kind.
  func request(
    _ method: RulesMethod,
    at segments: [RulesRequest.PathSegment],
    path: RulesValue,
    resource: RulesValue?,
    _ kind: RequestMembers.Kind
  ) -> RulesRequest {
    let members = RequestMembers(
      auth: caller.auth,
      method: method,
      time: time,
      inTransaction: inTransaction,
      path: path,
      kind: kind
    )
    return RulesRequest(
      service: RulesService.firestore.rawValue,
      method: method,
      path: segments,
      request: .map(.members(members)),
      resource: resource
    )
  }
}

extension RulesMethod {
  /// Creates the method of a commit's writes to one document.
  ///
  /// The first precondition decides between `create` and `update` even if it fails; without one,
  /// the document's existence does.
  init(of writes: some BidirectionalCollection<Write>, existing: Bool) {
    switch writes.last(where: { !$0.isVerification })?.operation {
    case .none, .verify: self = .get
    case .delete: self = .delete
    case .update, .transform:
      self =
        switch writes.first?.currentDocument {
        case .exists(false): .create
        case .exists(true), .updateTime: .update
        case .none: existing ? .update : .create
        }
    }
  }
}

extension Write {
  fileprivate var isVerification: Bool {
    if case .verify = operation { true } else { false }
  }
}

extension FieldPath {
  /// The field names with dots between them.
  var unquoted: String { segments.map(\.string).joined(separator: ".") }
}
