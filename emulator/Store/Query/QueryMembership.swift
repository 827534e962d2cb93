import FirestoreModel

/// A query's answer one document at a time: whether a document is in it, and where.
struct QueryMembership {
  let prepared: PreparedQuery
  private let mask: FieldMask?
  /// What cursors leave of the index that has the query's order.
  private let range: IndexRange

  init(_ prepared: PreparedQuery) {
    self.prepared = prepared
    mask = prepared.mask
    range = ScanPlan(Conjunction(conditions: []), prepared).range
  }

  var structured: StructuredQuery { prepared.structured }
  var order: QueryOrder { prepared.order }

  /// A document's place in the answer, were there no offset and no limit; nil if it has none.
  func row(of document: Document?, _ key: KeyBytes) -> Row? {
    guard let document, prepared.matches(document, key),
      let sortKey = range.definition.keys(of: document).first, range.contains(sortKey, key)
    else { return nil }
    return Row(document: document, name: key, sortKey: sortKey)
  }

  /// A document as the query shows it.
  func shown(_ document: Document) -> Document { document.masked(by: mask) }
}
