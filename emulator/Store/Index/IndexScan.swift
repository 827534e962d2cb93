import Core
import FirestoreModel

/// A scan of an index range, which returns the state at one time.
///
/// It is read in pieces, and commits may happen between them.
///
/// The index has only the latest state. So the scan leaves out the entries of documents that
/// changed after its time, and adds their past versions at their earlier positions.
struct IndexScan {
  private struct PastEntry {
    let key: KeyBytes
    let name: KeyBytes
    let document: Document
  }

  let plan: ScanPlan
  private let query: PreparedQuery
  private let time: Int64
  /// A Boolean value that indicates whether the rows are merged with the rows of other scans.
  /// Merged rows need sort keys.
  private let isMerged: Bool

  /// The position of the entry that was read last, or `nil` if none was read.
  private var position: IndexPosition?
  /// The past versions that aren't returned yet. The next one is the last element.
  private var past: [PastEntry] = []
  private var changed: Set<ObjectIdentifier> = []
  private var logNumber = 0

  private(set) var entriesScanned = 0
  private(set) var documentsScanned = 0

  init(
    _ plan: ScanPlan,
    of query: PreparedQuery,
    at time: Int64,
    isMerged: Bool
  ) {
    self.plan = plan
    self.query = query
    self.time = time
    self.isMerged = isMerged
  }

  /// Returns up to `count` rows in the query's order. If there are fewer than `count`, the scan is
  /// at its end.
  mutating func next(_ count: Int, in database: Database) -> [Row] {
    catchUp(with: database)
    var rows: [Row] = []
    guard let tree = database.scope(of: query.target)?.index(plan.range.definition) else {
      while rows.count < count, let entry = past.popLast() { append(entry, to: &rows) }
      return rows
    }
    let isReversed = query.order.isReversed
    var range = plan.range
    if let position {
      // Continue after the entry that was read last.
      let bound = IndexBound(key: position.key, name: position.name, isAfter: !isReversed)
      if isReversed { range.upper.append(bound) } else { range.lower.append(bound) }
    }
    var index = isReversed ? range.end(in: tree) : range.start(in: tree)
    let end = isReversed ? tree.startIndex : tree.endIndex
    while rows.count < count {
      var entry: IndexEntry?
      if index != end {
        let candidate = tree[isReversed ? tree.index(before: index) : index]
        let name = candidate.record.key
        let isOutside =
          isReversed
          ? range.isBefore(candidate.key, name)
          : range.isBeyond(candidate.key, name)
        if isOutside { index = end } else { entry = candidate }
      }
      if let old = past.last, entry.map({ precedes(old, $0) }) ?? true {
        past.removeLast()
        append(old, to: &rows)
        continue
      }
      guard let entry else { break }
      index = isReversed ? tree.index(before: index) : tree.index(after: index)
      position = entry.position
      entriesScanned += 1
      guard changed.isEmpty || !changed.contains(ObjectIdentifier(entry.record)),
        let document = entry.record.document, admits(document, entry.record)
      else { continue }
      rows.append(row(document, entry.record.key))
    }
    return rows
  }

  /// Returns the number of rows, or `nil` if the documents have to be read to count them.
  mutating func count(in database: Database) -> Int? {
    guard plan.residual.isEmpty, query.requiredFields.isEmpty, !query.target.isNarrowerThanItsScope,
      database.log.lastTime ?? 0 <= time
    else { return nil }
    guard let tree = database.scope(of: query.target)?.index(plan.range.definition) else {
      return 0
    }
    // Production reads each entry and reports their number. The emulator computes the same number
    // from the sizes of the index's leaves.
    entriesScanned = tree.distance(
      from: plan.range.start(in: tree),
      to: plan.range.end(in: tree)
    )
    return entriesScanned
  }

  private mutating func append(_ entry: PastEntry, to rows: inout [Row]) {
    position = IndexPosition(key: entry.key, name: entry.name)
    rows.append(row(entry.document, entry.name))
  }

  private func row(_ document: Document, _ name: KeyBytes) -> Row {
    Row(
      document: document,
      name: name,
      sortKey: isMerged ? query.order.definition.keys(of: document).first ?? .init() : .init()
    )
  }

  private mutating func admits(_ document: Document, _ record: DocumentRecord) -> Bool {
    documentsScanned += 1
    return plan.residual.allSatisfy { $0.matches(document) }
      && query.requiredFields.allSatisfy { document.fields[$0] != nil }
      && (!query.target.isNarrowerThanItsScope || query.target.contains(record))
  }

  // MARK: The past

  /// Adds the past versions of the documents that changed since the last piece was read.
  private mutating func catchUp(with database: Database) {
    let log = database.log
    guard logNumber < log.end else { return }
    var additions: [PastEntry] = []
    for entry in log.entries(after: time, from: logNumber) {
      let record = entry.record
      guard query.target.contains(record), changed.insert(ObjectIdentifier(record)).inserted,
        let document = record.document(at: time), admits(document, record)
      else { continue }
      for key in plan.range.definition.keys(of: document)
      where plan.range.contains(key, record.key) && isAhead(key, record.key) {
        additions.append(PastEntry(key: key, name: record.key, document: document))
      }
    }
    logNumber = log.end
    guard !additions.isEmpty else { return }
    additions += past
    additions.sort { compare($0.key, $0.name, $1.key, $1.name) > 0 }
    past = additions
  }

  /// Returns whether the scan has yet to read a position.
  private func isAhead(_ key: KeyBytes, _ name: KeyBytes) -> Bool {
    guard let position else { return true }
    return compare(key, name, position.key, position.name) > 0
  }

  private func precedes(_ old: PastEntry, _ entry: IndexEntry) -> Bool {
    compare(old.key, old.name, entry.key, entry.record.key) < 0
  }

  /// Compares two positions in the order in which the scan reads them.
  private func compare(
    _ key: KeyBytes,
    _ name: KeyBytes,
    _ otherKey: KeyBytes,
    _ otherName: KeyBytes
  ) -> Int {
    var result = key.compare(to: otherKey)
    if result == 0 {
      result = name.compare(to: otherName)
      if plan.range.definition.isNameDescending { result = -result }
    }
    return query.order.isReversed ? -result : result
  }
}
