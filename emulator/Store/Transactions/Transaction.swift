import Core
import FirestoreModel

/// A transaction that has begun and not ended: what it has read, and thereby holds.
struct Transaction {
  enum Mode: Hashable {
    case readOnly
    /// Reads one snapshot; the commit fails if what was read has changed.
    case optimistic
    /// Reads the latest state; whoever writes to it waits.
    case pessimistic
  }

  /// The result of a query, as far as it was read: nothing may come into it or leave it.
  private struct ReadQuery {
    let query: QueryMembership
    /// Where the reading stopped because of the query's limit.
    var last: Row?
  }

  /// After so long, or so long without use, a transaction is over (production's limits).
  static let longestLife = Duration.seconds(270)
  static let longestIdle = Duration.seconds(60)

  let id: TransactionID
  let database: DatabaseName
  let mode: Mode
  let begun: Timestamp
  var lastUse: Timestamp
  /// The snapshot, in microseconds; the first read decides it.
  var readTime: Int64?
  private(set) var documents: Set<DocumentName> = []
  private var queries: [ReadQuery] = []

  init(
    _ id: TransactionID,
    in database: DatabaseName,
    _ options: TransactionOptions,
    at now: Timestamp
  ) {
    self.id = id
    self.database = database
    begun = now
    lastUse = now
    switch options {
    case .readOnly(let time):
      mode = .readOnly
      readTime = time?.microseconds
    case .readWrite(_, .optimistic): mode = .optimistic
    case .readWrite(_, .pessimistic): mode = .pessimistic
    }
  }

  func isOver(at now: Timestamp) -> Bool {
    now.duration(since: begun) > Self.longestLife
      || now.duration(since: lastUse) > Self.longestIdle
  }

  mutating func read(_ names: [DocumentName]) {
    if mode != .readOnly { documents.formUnion(names) }
  }

  /// - Returns: a number by which `stopped` knows the query.
  mutating func read(_ query: PreparedQuery) -> Int {
    if mode != .readOnly { queries.append(ReadQuery(query: QueryMembership(query))) }
    return queries.count - 1
  }

  /// The query was read no further than this row.
  mutating func stopped(_ number: Int, at row: Row) {
    if queries.indices.contains(number) { queries[number].last = row }
  }

  /// Whether a change of a document concerns anything that was read.
  func hasRead(_ name: DocumentName, _ key: KeyBytes, _ states: [Document?]) -> Bool {
    documents.contains(name)
      || queries.contains { read in
        states.contains { document in
          guard let row = read.query.row(of: document, key) else { return false }
          return read.last.map { !read.query.order.precedes($0, row) } ?? true
        }
      }
  }
}
