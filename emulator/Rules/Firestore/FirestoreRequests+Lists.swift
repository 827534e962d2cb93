import Core
import FirestoreModel

extension FirestoreRequests {
  /// Returns the request for the documents that an alternative of a query's filter can find.
  func listRequest(
    _ query: StructuredQuery,
    in parent: ResourcePath,
    resource: RulesValue
  ) -> RulesRequest {
    let selector = query.from.first
    let isGroup = selector?.allDescendants == true
    let parentSegments = segments(of: parent)
    var path = parentSegments.map { RulesRequest.PathSegment.named($0) }
    if isGroup { path.append(.anyNumber) }
    path.append(selector?.collectionId.map { .named($0) } ?? .anyOne)
    path.append(.anyOne)
    let collection: RulesValue? =
      if !isGroup, let id = selector?.collectionId {
        .path(RulesPath(parentSegments + [id]))
      } else {
        nil
      }
    return request(
      .list,
      at: path,
      path: collection,
      resource: resource,
      ["query": queryVariable(query, in: parent), "fields": selectedFields(query)]
    )
  }

  /// Returns the variable `request.query`.
  func queryVariable(_ query: StructuredQuery, in parent: ResourcePath) -> RulesValue {
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
    guard let fields = query.select?.fields else { return .null }
    return .list(fields.map { .string($0.fieldPath.unquoted) })
  }
}
