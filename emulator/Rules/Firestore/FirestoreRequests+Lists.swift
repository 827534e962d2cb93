import Core
import FirestoreModel

extension FirestoreRequests {
  /// Returns the request for the documents that an alternative of a query's filter can find.
  ///
  /// If the alternative names the document, the request is about that document.
  func listRequest(
    _ query: StructuredQuery,
    in parent: ResourcePath,
    _ alternative: FilterAlternative,
    documents: some DocumentReader
  ) -> RulesRequest {
    let others: [ByteKey: RulesValue] = [
      "query": queryVariable(query, in: parent), "fields": selectedFields(query),
    ]
    let selector = query.from.first
    let isGroup = selector?.allDescendants == true
    let requirements = QueryRequirements(
      alternative,
      hasAncestor: isGroup && !parent.segments.isEmpty
    )
    if let name = requirements.documentName {
      let segments = segments(of: name)
      // A missing document isn't null here: reading `resource` is an error, as in Google's emulator.
      return request(
        .list,
        at: segments.map { .named($0) },
        path: .path(RulesPath(segments)),
        resource: documents.document(at: segments).map { resource(segments, $0) },
        others
      )
    }
    let parentSegments = segments(of: parent)
    var path = parentSegments.map { RulesRequest.PathSegment.named($0) }
    if isGroup { path.append(.anyNumber) }
    path.append(selector?.collectionId.map { .named($0) } ?? .anyOne)
    path.append(.anyOne)
    // The path of several collections is unknown: `path` is a member, but reading it is an error.
    let collection: RulesValue =
      if !isGroup, let id = selector?.collectionId {
        .path(RulesPath(parentSegments + [id]))
      } else {
        .constraint(Constraint([]))
      }
    return request(
      .list,
      at: path,
      path: collection,
      resource: requirements.resource,
      others
    )
  }

  /// Returns the variable `request.query`.
  private func queryVariable(_ query: StructuredQuery, in parent: ResourcePath) -> RulesValue {
    let selector = query.from.first
    let isGroup = selector?.allDescendants == true
    var order: [ByteKey: RulesValue] = [:]
    for entry in query.orderBy {
      order[ByteKey(entry.field.fieldPath.unquoted)] = .string(
        entry.direction == .descending ? "DESC" : "ASC"
      )
    }
    return .map(
      .values([
        "limit": query.limit.map { .integer(Int64($0)) } ?? .null,
        "offset": .integer(Int64(query.offset)),
        "orderBy": .map(.values(order)),
        "kind": selector?.collectionId.map { .string($0) } ?? .null,
        isGroup ? "ancestor" : "parent": parent.segments.isEmpty
          ? .null : .path(RulesPath(segments(of: parent))),
        "allDescendants": .boolean(isGroup),
        "distinct": .boolean(false),
        "selectOnlyKeys": .boolean(false),
        "groupBy": .map(.values([:])),
      ])
    )
  }

  /// Returns the names of the selected fields, or null if a query returns whole documents.
  private func selectedFields(_ query: StructuredQuery) -> RulesValue {
    guard let projection = query.select else { return .null }
    let paths = (projection.fields ?? []).map(\.fieldPath).filter { $0 != .documentName }
    return paths.names
  }
}
