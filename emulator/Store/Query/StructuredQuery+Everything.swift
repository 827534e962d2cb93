package import FirestoreModel

extension StructuredQuery {
  /// A query for all documents below the parent, at any depth.
  package static var everything: StructuredQuery {
    var query = StructuredQuery(from: "")
    query.from = [.init(nil, allDescendants: true)]
    return query
  }
}
