import FirestoreModel
package import HTTPService
import JSONCoding
import Platform
package import RPCStatus
package import Store

/// Firestore's REST API v1 and the routes of Firebase's emulator, over the store.
///
/// Methods that aren't built are refused by name.
package struct FirestoreService: HTTPService {
  package let name = "firestore"
  private let store: Store
  private let newID: @Sendable () -> String

  /// - Parameter newID: makes the ids of documents created without one.
  package init(store: Store, newID: @escaping @Sendable () -> String) {
    self.store = store
    self.newID = newID
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path.first) {
    case ("GET", nil): return .text("Ok\n")
    case (_, "v1"), (_, "v1beta1"): return try await respond(toAPI: request)
    case ("DELETE", "emulator"): return try await clear(request)
    default: throw notFound(request)
    }
  }

  /// `DELETE /emulator/v1/projects/{p}/databases/{d}/documents`: drops everything, fires nothing.
  private func clear(_ request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let target = request.path.dropFirst(2).joined(separator: "/")
    guard request.path.starts(with: ["emulator", "v1"]) else { throw notFound(request) }
    let resource = try ResourceName(target)
    guard resource.path == .root else { throw notFound(request) }
    store.clear(resource.database)
    return .json(JSONValue.object([:]))
  }

  private func respond(toAPI request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    var segments = Array(request.path.dropFirst())
    // A verb follows the last colon of a POST's path; ids elsewhere may hold colons.
    var verb: String?
    if request.method == "POST", let last = segments.last,
      let colon = last.lastIndex(of: ":")
    {
      verb = String(last[last.index(after: colon)...])
      segments[segments.count - 1] = String(last[..<colon])
    }
    for parameter in ["transaction", "readTime"] where request[query: parameter] != nil {
      throw StatusError(.unimplemented, "the parameter \(parameter) is not built yet")
    }
    let resource = try ResourceName(segments.joined(separator: "/"))
    if let verb { return try await respond(to: verb, of: resource, request) }
    let isCollection = !resource.path.segments.count.isMultiple(of: 2)
    switch (request.method, isCollection) {
    case ("GET", false): return try await get(resource, request)
    case ("GET", true): return try await list(resource, request)
    case ("POST", true): return try await create(in: resource, request)
    case ("PATCH", false): return try await update(resource, request)
    case ("DELETE", false): return try await delete(resource, request)
    default:
      throw StatusError(
        .invalidArgument,
        "\(request.method) does not fit \(quoted(resource.path.description)): "
          + "a document's path is even, a collection's odd"
      )
    }
  }

  private func respond(
    to verb: String,
    of resource: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    switch verb {
    case "commit": try await commit(resource.database, request)
    case "batchGet": try await batchGet(resource.database, request)
    case "runQuery": try await runQuery(resource, request)
    case "listCollectionIds": try await listCollectionIDs(resource)
    case "batchWrite", "beginTransaction", "rollback", "runAggregationQuery", "partitionQuery",
      "executePipeline", "listen", "write":
      throw StatusError(.unimplemented, "\(verb) is not built yet")
    default: throw StatusError(.notFound, "Firestore has no method \(quoted(verb))")
    }
  }

  // MARK: Documents

  /// A document in a request: its name may be left out, its times are ignored.
  private struct DocumentBody: Decodable {
    var fields: Fields

    private enum Member: String, CodingKey, CaseIterable {
      case name, fields, createTime, updateTime
    }

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknownMembers(besides: Member.self)
      let container = try decoder.container(keyedBy: Member.self)
      fields = try container.decodeIfPresent(Fields.self, forKey: .fields) ?? [:]
    }
  }

  private func get(
    _ resource: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let name = try DocumentName(database: resource.database, path: resource.path)
    guard let document = store.document(name) else {
      throw StatusError(.notFound, "Document \(quoted(name.description)) not found.")
    }
    return .json(document.masked(by: try request.mask("mask")))
  }

  private func list(
    _ resource: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    if let order = request[query: "orderBy"], order != "__name__" {
      throw StatusError(.unimplemented, "listing by orderBy is not built yet; use runQuery")
    }
    let mask = try request.mask("mask")
    let page = try await store.attemptList(
      collection: resource,
      pageSize: try request.integer("pageSize") ?? 0,
      pageToken: request[query: "pageToken"],
      showMissing: try request.boolean("showMissing") ?? false
    ).value()
    return .json(
      ListDocumentsResponse(documents: page.documents.map { $0.masked(by: mask) }, nextPageToken: page.nextPageToken)
    )
  }

  private func create(
    in collection: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let id = request[query: "documentId"] ?? newID()
    let name = try DocumentName(
      database: collection.database,
      path: collection.path.appending(id)
    )
    return try await write(name, request, mask: nil, precondition: .exists(false))
  }

  private func update(
    _ resource: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let name = try DocumentName(database: resource.database, path: resource.path)
    return try await write(
      name,
      request,
      mask: try request.mask("updateMask"),
      precondition: try request.precondition()
    )
  }

  private func write(
    _ name: DocumentName,
    _ request: ServiceRequest,
    mask: FieldMask?,
    precondition: Precondition?
  ) async throws(StatusError) -> ServiceResponse {
    let body =
      request.body.isEmpty
      ? nil : try request.json(DocumentBody.self, refusingUnknownMembers: true)
    let write = Write(
      .update(Document(name: name, fields: body?.fields ?? [:])),
      updateMask: mask,
      currentDocument: precondition
    )
    let commit = try await store.commit([write], in: name.database, cause: try request.cause())
    // A write that changes nothing is no change; the document is as it was.
    guard let document = commit.changes.first?.after ?? store.document(name) else {
      throw StatusError(.aborted, "the document was deleted by somebody else")
    }
    return .json(document.masked(by: try request.mask("mask")))
  }

  private func delete(
    _ resource: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let name = try DocumentName(database: resource.database, path: resource.path)
    let write = Write(.delete(name), currentDocument: try request.precondition())
    _ = try await store.commit([write], in: name.database, cause: try request.cause())
    return .json(JSONValue.object([:]))
  }

  // MARK: Methods

  private func commit(
    _ database: DatabaseName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let message = try request.json(CommitRequest.self, refusingUnknownMembers: true)
    guard message.transaction == nil else {
      throw StatusError(.unimplemented, "commit.transaction: transactions are not built yet")
    }
    let commit = try await store.commit(
      message.writes ?? [],
      in: database,
      cause: try request.cause()
    )
    return .json(CommitResponse(writeResults: commit.results, commitTime: commit.time))
  }

  private func batchGet(
    _ database: DatabaseName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let message = try request.json(BatchGetDocumentsRequest.self, refusingUnknownMembers: true)
    var names: [DocumentName] = []
    for name in message.documents ?? [] where !names.contains(name) {
      guard name.database == database else {
        throw StatusError(.invalidArgument, "\(quoted(name.description)) is of another database")
      }
      names.append(name)
    }
    let (documents, readTime) = try await store.attemptDocuments(
      names,
      in: database,
      .latest
    ).value()
    let found = names.compactMap { documents[$0]?.masked(by: message.mask) }
    let missing = names.filter { documents[$0] == nil }
    return .json(
      found.map { BatchGetDocumentsResponse(found: $0, readTime: readTime) }
        + missing.map { BatchGetDocumentsResponse(missing: $0, readTime: readTime) }
    )
  }

  private func runQuery(
    _ parent: ResourceName,
    _ request: ServiceRequest
  ) async throws(StatusError) -> ServiceResponse {
    let message = try request.json(RunQueryRequest.self, refusingUnknownMembers: true)
    let cursor = try await store.attemptQuery(
      message.structuredQuery,
      parent: parent,
      .latest
    ).value()
    let (documents, readTime) = (try cursor.next(.max), cursor.readTime)
    // Clients take the read time from the one answer there is when nothing matched.
    return .json(
      documents.isEmpty
        ? [RunQueryResponse(readTime: readTime)]
        : documents.map { RunQueryResponse(document: $0, readTime: readTime) }
    )
  }

  private func listCollectionIDs(_ parent: ResourceName) async throws(StatusError) -> ServiceResponse {
    .json(ListCollectionIdsResponse(collectionIds: try store.collectionIDs(below: parent).ids))
  }
}

// MARK: What requests carry beside their body

extension ServiceRequest {
  /// The fields of a mask in the query, `mask.fieldPaths=a&mask.fieldPaths=b`; nil without any.
  fileprivate func mask(_ name: String) throws(StatusError) -> FieldMask? {
    var paths: [FieldPath] = []
    for field in query where field.name == "\(name).fieldPaths" {
      paths.append(try FieldPath(parsing: field.value))
    }
    return paths.isEmpty ? nil : FieldMask(paths)
  }

  fileprivate func precondition() throws(StatusError) -> Precondition? {
    if let exists = try boolean("currentDocument.exists") { return .exists(exists) }
    guard let time = self[query: "currentDocument.updateTime"] else { return nil }
    return .updateTime(try Timestamp(time))
  }

  fileprivate func boolean(_ name: String) throws(StatusError) -> Bool? {
    switch self[query: name] {
    case nil: return nil
    case "true": return true
    case "false": return false
    case .some: throw StatusError(.invalidArgument, "\(name) is neither true nor false")
    }
  }

  fileprivate func integer(_ name: String) throws(StatusError) -> Int? {
    guard let text = self[query: name] else { return nil }
    guard let number = Int(text) else {
      throw StatusError(.invalidArgument, "\(name) is not a number")
    }
    return number
  }

  /// Who asks, and within which trace.
  fileprivate func cause() throws(StatusError) -> CommitCause {
    let traceparent = headers["traceparent"]
    guard let token = bearerToken else {
      return CommitCause(traceparent: traceparent, caller: .unauthenticated)
    }
    if token == "owner" { return CommitCause(traceparent: traceparent, caller: .admin) }
    guard let user = try? UnsignedToken(token) else {
      throw StatusError(.invalidArgument, "invalid jwt")
    }
    return CommitCause(traceparent: traceparent, caller: .user(uid: user.uid))
  }
}
