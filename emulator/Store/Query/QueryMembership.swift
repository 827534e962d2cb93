import FirestoreModel

/// The membership of single documents in a query's result, and their positions there.
struct QueryMembership {
  let prepared: PreparedQuery
  private let mask: FieldMask?
  /// The range between the cursors, in the index with the query's order.
  private let range: IndexRange

  init(_ prepared: PreparedQuery) {
    self.prepared = prepared
    mask = prepared.mask
    range = ScanPlan(Conjunction(conditions: []), prepared).range
  }

  var structured: StructuredQuery { prepared.structured }
  var order: QueryOrder { prepared.order }

  /// Returns a document's row in the result without offset and limit, or `nil` if it isn't there.
  func row(of document: Document?, _ key: KeyBytes) -> Row? {
    guard let document, prepared.matches(document, key),
      let sortKey = range.definition.keys(of: document).first, range.contains(sortKey, key)
    else { return nil }
    return Row(document: document, name: key, sortKey: sortKey)
  }

  /// Returns a document with the fields that the query selects.
  func shown(_ document: Document) -> Document { document.masked(by: mask) }
}
