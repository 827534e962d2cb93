import FirestoreModel

/// A running query. It merges the rows of its sources, and applies offset, limit and projection.
struct QueryReading {
  /// A source of rows in the query's order.
  private enum Source {
    case scan(IndexScan)
    /// All rows of the source. The next one is the last element.
    case rows([Row])
  }

  /// The minimum number of candidates for which an index is built. Fewer candidates are sorted.
  static let sortableCount = 1_000

  let database: Database
  private let query: PreparedQuery
  private var sources: [Source] = []
  /// For each source, the rows that were read but not yet returned. The next one is the last
  /// element.
  private var heads: [[Row]] = []
  private(set) var lastRow: Row?
  private var offset: Int
  private var remaining: Int
  private let mask: FieldMask?
  private(set) var statistics = QueryStatistics()

  /// Creates a reading of a query's result.
  ///
  /// - Parameter time: The time of the state to read, in microseconds. Later commits have no effect
  ///   on the result.
  init(
    _ query: PreparedQuery,
    at time: Int64,
    in database: Database
  ) {
    self.database = database
    self.query = query
    offset = query.structured.offset
    remaining = query.structured.limit ?? .max
    mask = query.mask
    let alternatives = query.alternatives
    guard !alternatives.isEmpty, remaining > 0 else { return }
    let scope = database.scope(of: query.target)
    if scope?.count ?? 0 <= IndexScope.minimumCount {
      let filter = query.structured.filter
      sources = [
        .rows(
          sorted(scope.map { Array($0.names.records) } ?? [], at: time) {
            filter?.matches($0) ?? true
          }
        )
      ]
    } else if let scope {
      for alternative in alternatives {
        sources.append(
          source(
            for: alternative,
            in: scope,
            at: time,
            isMerged: alternatives.count > 1
          )
        )
      }
    }
    heads = sources.map { _ in [] }
    if let search = query.structured.findNearest { keepNearest(search) }
  }

  /// Reads all rows, and keeps the rows that a vector search finds.
  private mutating func keepNearest(_ search: StructuredQuery.FindNearest) {
    var rows: [Row] = []
    while let row = nextRow(wanted: 256) {
      if row.name != rows.last?.name { rows.append(row) }
    }
    sources = [.rows(search.nearest(of: rows).reversed())]
    heads = [[]]
  }

  var databaseName: DatabaseName { query.database }
  var plan: QueryPlanSummary { query.plan }

  // MARK: Choosing indexes

  private mutating func source(
    for alternative: Conjunction,
    in scope: IndexScope,
    at time: Int64,
    isMerged: Bool
  ) -> Source {
    let plan = ScanPlan(alternative, query)
    let definition = plan.range.definition
    if definition.fields.count > 1, scope.existing(definition) == nil,
      let records = narrowest(alternative, in: scope)
    {
      return .rows(
        sorted(records, at: time) { document in
          alternative.conditions.allSatisfy { $0.matches(document) }
        }
      )
    }
    return .scan(
      IndexScan(plan, of: query, at: time, isMerged: isMerged)
    )
  }

  /// Returns the documents that match the most selective condition, or `nil` if there are too many
  /// to sort.
  private mutating func narrowest(
    _ alternative: Conjunction,
    in scope: IndexScope
  ) -> [DocumentRecord]? {
    var best: (range: IndexRange, tree: IndexTree, count: Int)?
    for condition in alternative.conditions {
      guard let range = ScanPlan(condition: condition, of: query)?.range,
        let tree = scope.existing(range.definition)
      else { continue }
      let count = tree.distance(from: range.start(in: tree), to: range.end(in: tree))
      if count < best?.count ?? Self.sortableCount { best = (range, tree, count) }
    }
    guard let (range, tree, count) = best else { return nil }
    statistics.indexEntriesScanned += count
    var index = range.start(in: tree)
    return (0..<count).map { _ in
      defer { index = tree.index(after: index) }
      return tree[index].record
    }
  }

  /// Returns the sorted rows of a state in the past.
  ///
  /// - Parameters:
  ///   - records: The candidates. All documents that changed after `time` are candidates, too.
  ///   - time: The time of the state, in microseconds.
  private mutating func sorted(
    _ records: [DocumentRecord],
    at time: Int64,
    where matches: (Document) -> Bool
  ) -> [Row] {
    var rows: [Row] = []
    var seen: Set<ObjectIdentifier> = []
    // The range between the query's cursors, in the index with the query's order.
    let range = ScanPlan(Conjunction(conditions: []), query).range
    func add(_ record: DocumentRecord) {
      guard let document = record.document(at: time), query.target.contains(record) else {
        return
      }
      statistics.documentsScanned += 1
      guard matches(document), query.requiredFields.allSatisfy({ document.fields[$0] != nil }),
        let key = range.definition.keys(of: document).first, range.contains(key, record.key)
      else { return }
      rows.append(Row(document: document, name: record.key, sortKey: key))
    }
    for entry in database.log.entries(after: time)
    where seen.insert(ObjectIdentifier(entry.record)).inserted { add(entry.record) }
    for record in records where seen.isEmpty || !seen.contains(ObjectIdentifier(record)) {
      add(record)
    }
    rows.sort { query.order.precedes($1, $0) }
    return rows
  }

  // MARK: Reading

  /// Returns up to `count` documents, or an empty array at the end.
  ///
  /// It returns fewer documents when their total size reaches `bytes`.
  mutating func next(_ count: Int, bytes: Int = .max) -> [Document] {
    var documents: [Document] = []
    var left = bytes
    while documents.count < min(count, remaining), left > 0,
      let row = nextRow(wanted: min(count, 256) + min(offset, 256))
    {
      if row.name == lastRow?.name { continue }
      lastRow = row
      if offset > 0 {
        offset -= 1
      } else {
        let document = row.document.masked(by: mask)
        documents.append(document)
        if bytes < .max { left -= DocumentLimits.size(of: document) }
      }
    }
    remaining -= documents.count
    statistics.resultsReturned += documents.count
    return documents
  }

  /// Returns the number of documents, or `nil` if it can't be computed from the length of an index
  /// range.
  ///
  /// Call it only before the first call of `next`.
  mutating func countUnread() -> Int? {
    guard sources.count == 1, case .scan(var scan) = sources[0], offset == 0, remaining == .max,
      let count = scan.count(in: database)
    else { return nil }
    statistics.indexEntriesScanned = count
    return count
  }

  /// A Boolean value that indicates whether the query's limit has been reached.
  var hasReachedLimit: Bool { remaining == 0 }

  /// Returns the next row, or `nil` at the end.
  ///
  /// - Parameter wanted: The approximate number of rows that the caller still needs.
  private mutating func nextRow(wanted: Int) -> Row? {
    var best: Int?
    for index in sources.indices {
      if heads[index].isEmpty { fill(index, wanted) }
      guard let row = heads[index].last else { continue }
      if let current = best, let other = heads[current].last,
        !query.order.precedes(row, other)
      {
        continue
      }
      best = index
    }
    return best.flatMap { heads[$0].popLast() }
  }

  private mutating func fill(_ index: Int, _ wanted: Int) {
    switch sources[index] {
    case .scan(var scan):
      sources[index] = .rows([])
      let (entries, documents) = (scan.entriesScanned, scan.documentsScanned)
      let count = min(wanted, remaining == .max ? wanted : remaining + offset, 256)
      heads[index] = scan.next(count, in: database).reversed()
      statistics.indexEntriesScanned += scan.entriesScanned - entries
      statistics.documentsScanned += scan.documentsScanned - documents
      if heads[index].count == count { sources[index] = .scan(scan) }
    case .rows(let rows):
      heads[index] = rows
      sources[index] = .rows([])
    }
  }
}
