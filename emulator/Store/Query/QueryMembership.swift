import FirestoreModel

/// A query that single documents are tested against.
struct QueryMembership {
  let prepared: PreparedQuery
  private let mask: FieldMask?
  /// The range between the query's cursors, in the index with the query's order.
  private let range: IndexRange

  init(_ prepared: PreparedQuery) {
    self.prepared = prepared
    mask = prepared.mask
    range = ScanPlan(Conjunction(conditions: []), prepared).range
  }

  var structured: StructuredQuery { prepared.structured }
  var order: QueryOrder { prepared.order }

  /// Returns a document's row in the query's result, or `nil` if the document isn't in the result.
  /// Offset and limit aren't applied.
  func row(of document: Document?, _ key: KeyBytes) -> Row? {
    guard let document, prepared.matches(document, key),
      let sortKey = range.definition.keys(of: document).first, range.contains(sortKey, key)
    else { return nil }
    return Row(document: document, name: key, sortKey: sortKey)
  }

  /// Returns a document with only the fields that the query selects.
  func shown(_ document: Document) -> Document { document.masked(by: mask) }
}
