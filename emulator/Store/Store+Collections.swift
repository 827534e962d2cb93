package import Core
package import FirestoreModel
import Synchronization

extension Store {
  /// The maximum total size of a page's documents, in bytes. They stay in memory until the client
  /// has read the response.
  private static let maximumPageBytes = 4 << 20

  /// Returns one page of the documents in a collection, or in all collections of a document or the
  /// root.
  ///
  /// - Parameters:
  ///   - pageSize: The maximum number of documents. 0 means 100, and more than 300 means 300, as in
  ///     production. A page of large documents has fewer.
  ///   - pageToken: The previous page's token; `nil` or empty for the first page.
  ///   - orderBy: The fields to sort by. If there are none, the documents are sorted by name.
  ///   - showMissing: A Boolean value that indicates whether the page includes documents that don't
  ///     exist but have descendants. They have a name and no fields.
  /// - Throws: `INVALID_ARGUMENT` for a negative size or an invalid token.
  package func attemptList(
    collection: ResourceName,
    pageSize: Int = 0,
    pageToken: String? = nil,
    orderBy: [StructuredQuery.Order] = [],
    showMissing: Bool = false,
    _ consistency: ReadConsistency = .latest,
    check: ReadCheck? = nil
  ) throws(StatusError) -> MaybePending<(documents: [Document], nextPageToken: String?)> {
    let isCollection = !collection.path.segments.count.isMultiple(of: 2)
    if showMissing, !orderBy.isEmpty {
      throw StatusError(.invalidArgument, "cannot specify an order when show_missing is true")
    }
    try Self.check(pageSize)
    let limit = Self.pageLimit(pageSize)
    if showMissing, !isCollection {
      throw StatusError(.invalidArgument, "show_missing needs a collection id.")
    }
    let origin =
      "\(collection) \(orderBy.map { "\($0.field.fieldPath) \($0.direction == .descending)" })"
    let token = try PageToken(pageToken, of: origin)
    if showMissing {
      return try attemptListWithMissing(
        collection,
        limit,
        after: token,
        of: origin,
        consistency,
        check
      )
    }
    var query = Self.listQuery(collection, pageSize: pageSize, orderBy: orderBy)
    query.limit = limit + 1
    var prepared = try PreparedQuery(
      query,
      parent: isCollection
        ? ResourceName(database: collection.database, path: collection.path.parent) : collection
    )
    prepared.resumeAfter = token?.position
    let order = prepared.order
    let reading = try attemptReading(prepared, consistency, check: check)
    return try reading.map { cursor throws(StatusError) in
      let page = try cursor.next(limit, bytes: Self.maximumPageBytes)
      let next = try cursor.next(1).isEmpty ? nil : page.last
      return (
        page,
        next.map { last in
          PageToken(
            IndexPosition(
              key: order.definition.keys(of: last).first ?? KeyBytes(),
              name: KeyBytes(last.name.path)
            )
          ).text(of: origin)
        }
      )
    }
  }

  /// Returns the query for a page of the documents in a collection, or in all collections of a
  /// document or the root.
  ///
  /// The parameters are those of `attemptList`.
  package static func listQuery(
    _ collection: ResourceName,
    pageSize: Int,
    orderBy: [StructuredQuery.Order]
  ) -> StructuredQuery {
    var query = StructuredQuery(from: collection.path.id, orderBy: orderBy)
    if collection.path.segments.count.isMultiple(of: 2) { query.from = [.init(nil)] }
    query.limit = pageLimit(pageSize)
    return query
  }

  private static func pageLimit(_ pageSize: Int) -> Int { pageSize == 0 ? 100 : min(pageSize, 300) }

  private func attemptListWithMissing(
    _ collection: ResourceName,
    _ limit: Int,
    after token: PageToken?,
    of origin: String,
    _ consistency: ReadConsistency,
    _ check: ReadCheck?
  ) throws(StatusError) -> MaybePending<(documents: [Document], nextPageToken: String?)> {
    let key = KeyBytes(collection.path)
    let depth = collection.path.segments.count
    // A transaction locks everything below the parent, because any new document there may add a
    // missing document to the list.
    let all = try PreparedQuery(
      .everything,
      parent: ResourceName(database: collection.database, path: collection.path.parent)
    )
    return try read(
      in: collection.database,
      consistency,
      check: check,
      blockedBy: { changes in
        changes.contains { $0.key.starts(with: key) }
      }
    ) { state, snapshot throws(StatusError) in
      if let transaction = snapshot.transaction {
        _ = state.transactions.read(all, by: transaction)
      }
      let database = state.database(collection.database)
      let time = snapshot.time.microseconds
      let ids = database.children(
        below: key,
        depth: depth,
        after: token?.position.name,
        limit: limit + 1,
        at: time
      )
      var documents: [Document] = []
      var left = Self.maximumPageBytes
      for (id, key) in ids.prefix(limit) where left > 0 {
        let name = try DocumentName(
          database: collection.database,
          path: collection.path.appending(id)
        )
        let document =
          database.record(key)?.document(at: time) ?? Document(name: name, fields: [:])
        documents.append(document)
        left -= DocumentLimits.size(of: document)
      }
      let next = documents.count < ids.count ? ids[documents.count - 1].key : nil
      return (
        documents,
        next.map { PageToken(IndexPosition(key: KeyBytes(), name: $0)).text(of: origin) }
      )
    }
  }

  /// Returns the IDs of the collections directly below a document or the root, in byte order.
  ///
  /// A collection exists as long as any document exists below it. Its parent document need not
  /// exist.
  ///
  /// The parameters are those of `attemptList`, except that a `pageSize` of 0 returns all IDs.
  package func collectionIDs(
    below parent: ResourceName,
    pageSize: Int = 0,
    pageToken: String? = nil,
    _ consistency: ReadConsistency = .latest
  ) throws(StatusError) -> (ids: [String], nextPageToken: String?) {
    guard parent.path.segments.count.isMultiple(of: 2) else {
      throw StatusError(.invalidArgument, "\(quoted(parent.description)) is not a document.")
    }
    try Self.check(pageSize)
    let limit = pageSize == 0 ? Int.max - 1 : pageSize
    let origin = "collections of \(parent)"
    let token = try PageToken(pageToken, of: origin)
    let attempt = try read(in: parent.database, consistency, blockedBy: { _ in false }) {
      state,
      snapshot in
      let ids = state.database(parent.database).children(
        below: KeyBytes(parent.path),
        depth: parent.path.segments.count,
        after: token?.position.name,
        limit: limit + 1,
        at: snapshot.time.microseconds
      )
      let next = ids.count > limit ? ids[limit - 1].key : nil
      return (
        ids.prefix(limit).map(\.id),
        next.map { PageToken(IndexPosition(key: KeyBytes(), name: $0)).text(of: origin) }
      )
    }
    guard case .done(let answer) = attempt else { throw .contention }
    return answer
  }

  private static func check(_ pageSize: Int) throws(StatusError) {
    guard pageSize >= 0 else {
      throw StatusError(.invalidArgument, "Page size must be nonnegative.")
    }
  }
}
