import FirestoreModel

/// The result of a query with a limit or an offset. Each commit updates it.
///
/// If documents leave the result, the documents that move up into it from beyond the limit are read
/// from the database. No other documents are read again.
final class QueryWindow {
  let query: QueryMembership
  private let offset: Int
  /// The maximum number of rows in the window, including the rows that the offset skips.
  private let extent: Int
  /// The rows in the window, in the query's order. They include the rows that the offset skips.
  private var rows: [Row] = []

  init(_ query: QueryMembership, at time: Int64, in database: Database) {
    self.query = query
    offset = query.structured.offset
    let limit = query.structured.limit ?? .max
    extent = limit > .max - offset ? .max : limit + offset
    rows = read(query.prepared.whole(limit: extent), at: time, in: database)
  }

  /// The documents of the result.
  var documents: [Document] { rows.dropFirst(offset).map { query.shown($0.document) } }

  /// Empties the window, because the database was cleared.
  func clear() { rows = [] }

  private func read(_ wanted: PreparedQuery, at time: Int64, in database: Database) -> [Row] {
    var reading = QueryReading(wanted, at: time, in: database)
    return reading.next(.max).compactMap { query.row(of: $0, KeyBytes($0.name.path)) }
  }

  /// Updates the window to the state after a commit, and returns the changes of the query's result.
  ///
  /// - Parameters:
  ///   - changes: The commit's changes that affect the query.
  ///   - time: The commit's time, in microseconds.
  func apply(
    _ changes: [StagedChange],
    at time: Int64,
    in database: Database
  ) -> [WatchChange] {
    guard extent > 0 else { return [] }
    var difference = Difference()
    let skipped = Skipped(rows.prefix(offset))
    // If the window is full, there may be rows after its last row that it doesn't know.
    let last = rows.count == extent ? rows.last : nil
    for change in changes {
      if let row = query.row(of: change.before, change.key), let index = index(of: row) {
        difference.remove(rows.remove(at: index))
      }
    }
    for change in changes {
      guard let row = query.row(of: change.after, change.key),
        last.map({ !query.order.precedes($0, row) }) ?? true
      else { continue }
      rows.insert(row, at: place(of: row))
      difference.insert(row)
    }
    if rows.count > extent {
      for row in rows[extent...] { difference.remove(row) }
      rows.removeSubrange(extent...)
    } else if rows.count < extent, let last {
      let wanted = query.prepared.whole(limit: extent - rows.count, following: last)
      let following = read(wanted, at: time, in: database)
      for row in following { difference.insert(row) }
      rows += following
    }
    difference.shift(from: skipped, to: Skipped(rows.prefix(offset)))
    return effects(of: difference, by: changes)
  }

  private func effects(
    of difference: Difference,
    by changes: [StagedChange]
  ) -> [WatchChange] {
    let changed = Dictionary(changes.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let gone = difference.gone.values.sorted { query.order.precedes($0, $1) }
    let come = difference.come.values.sorted { query.order.precedes($0, $1) }
    return gone.filter { difference.come[$0.name] == nil }.map { row in
      guard let change = changed[row.name] else { return .displaced(row.document.name) }
      return change.after.map { .left(query.shown($0)) } ?? .deleted(change.name)
    }
      + come.filter { row in difference.gone[row.name]?.document != row.document }
      .map { .present(query.shown($0.document)) }
  }

  /// Returns the index of the first row that isn't before the given one.
  private func place(of row: Row) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if query.order.precedes(rows[middle], row) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func index(of row: Row) -> Int? {
    let place = place(of: row)
    return place < rows.count && rows[place].name == row.name ? place : nil
  }
}

/// The rows that an offset skips, by name.
private typealias Skipped = [KeyBytes: Row]

extension Skipped {
  fileprivate init(_ rows: ArraySlice<Row>) {
    self.init(rows.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }
}

/// The rows that leave a window and the rows that enter it, by name.
private struct Difference {
  private(set) var gone: [KeyBytes: Row] = [:]
  private(set) var come: [KeyBytes: Row] = [:]

  /// Records that a row leaves the window. If the row entered in the same commit, the two changes
  /// cancel out, and none is recorded.
  mutating func remove(_ row: Row) {
    if come.removeValue(forKey: row.name) == nil { gone[row.name] = row }
  }

  mutating func insert(_ row: Row) { come[row.name] = row }

  /// Accounts for the rows that the offset skips. They are in the window but not in the query's
  /// result.
  ///
  /// A row that was skipped before the commit but isn't after it enters the result. A row that is
  /// skipped only after the commit leaves the result.
  mutating func shift(from before: Skipped, to after: Skipped) {
    for (name, row) in before {
      let isGone = gone.removeValue(forKey: name) != nil
      if !isGone, after[name] == nil { come[name] = row }
    }
    for (name, row) in after {
      let isNew = come.removeValue(forKey: name) != nil
      if !isNew, before[name] == nil { gone[name] = row }
    }
  }
}

extension PreparedQuery {
  /// Returns the query without offset and projection, and with another limit.
  ///
  /// - Parameter row: The row after which the result begins, or `nil` to begin with the first row.
  fileprivate func whole(limit: Int, following row: Row? = nil) -> PreparedQuery {
    var query = self
    query.structured.select = nil
    query.structured.offset = 0
    query.structured.limit = limit
    if let row {
      // The cursor has a value for each field of the complete order, so the query has to request
      // all these fields.
      query.structured.orderBy =
        order.fields.map { .init($0.path, $0.isDescending ? .descending : .ascending) }
        + [.init(.documentName, order.isNameDescending ? .descending : .ascending)]
      query.structured.startAt = .init(
        order.fields.map { row.document.fields[$0.path] ?? .null }
          + [.reference(row.document.name.description)],
        before: false
      )
    }
    return query
  }
}
