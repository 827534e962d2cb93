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
    let parentSegments = segments(of: parent)
    let kind = RequestMembers.Kind.list(
      query,
      parent: parent,
      parentPath: RulesPath(parentSegments)
    )
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
        kind
      )
    }
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
      kind
    )
  }
}
