import Core
import FirestoreModel

/// An active transaction, with the documents and queries that it has read.
struct Transaction {
  enum Mode: Hashable {
    case readOnly
    /// A transaction that reads one snapshot. The commit fails if data that was read has changed
    /// meanwhile.
    case optimistic
    /// A transaction that reads the latest state and locks what it reads. Other commits that write
    /// this data wait until the transaction has ended.
    case pessimistic
  }

  /// The part of a query's result that was read. While it is locked, no document may enter or leave
  /// it.
  private struct ReadQuery {
    let query: QueryMembership
    /// The last row if reading stopped at the query's limit, or `nil` if all rows were read.
    var last: Row?
  }

  /// The maximum age of a transaction, as in production.
  static let longestLife = Duration.seconds(270)
  /// The maximum time without use, as in production.
  static let longestIdle = Duration.seconds(60)

  let id: TransactionID
  let database: DatabaseName
  let mode: Mode
  let begun: Timestamp
  var lastUse: Timestamp
  /// The time of the snapshot in microseconds, or `nil` before the first read sets it.
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

  /// Records the read of a query.
  ///
  /// - Returns: The number that identifies the query in a call of `stopped`.
  mutating func read(_ query: PreparedQuery) -> Int {
    if mode != .readOnly { queries.append(ReadQuery(query: QueryMembership(query))) }
    return queries.count - 1
  }

  /// Records that reading a query stopped at its limit, after a row.
  mutating func stopped(_ number: Int, at row: Row) {
    if queries.indices.contains(number) { queries[number].last = row }
  }

  /// Returns whether the transaction has read a document, or a query's result that contains one of
  /// the document's states.
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
