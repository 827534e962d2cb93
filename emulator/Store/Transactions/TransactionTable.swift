import Core
import FirestoreModel

/// The active transactions.
///
/// The ID of a transaction has four parts: a random number for the emulator's run; the
/// transaction's age, which is the number of its first attempt; the number of this attempt; and a
/// random number, so that nobody can guess another client's ID. In a deadlock, the youngest
/// transaction is aborted.
struct TransactionTable {
  private static let idBytes = 32

  private let run = UInt64.random(in: .min ... .max)
  private var latest: UInt64 = 0
  private var active: [TransactionID: Transaction] = [:]
  /// The pessimistic transactions that have read a document, by the document's name.
  private var readers: [DocumentName: Set<TransactionID>] = [:]
  /// The pessimistic transactions that have read a query's result.
  private var queriers: Set<TransactionID> = []
  private var nextCleaning = Timestamp(seconds: 0)

  mutating func begin(
    _ options: TransactionOptions,
    in database: DatabaseName,
    at now: Timestamp
  ) throws(StatusError) -> TransactionID {
    clean(at: now)
    latest += 1
    var age = latest
    if case .readWrite(let first?, _) = options {
      try Self.check(first)
      // An age from another run can't be compared with ages of this run.
      age = Self.number(in: first, at: 0) == run ? min(Self.number(in: first, at: 8), age) : age
    }
    var bytes = Data()
    for number in [run, age, latest, UInt64.random(in: .min ... .max)] {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    let id = TransactionID(bytes)
    active[id] = Transaction(id, in: database, options, at: now)
    return id
  }

  /// Returns an active transaction, and records the time of its use.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the transaction has ended. Client libraries recognize the text
  ///   and retry the transaction.
  mutating func use(
    _ id: TransactionID,
    in database: DatabaseName,
    at now: Timestamp
  ) throws(StatusError) -> Transaction {
    try Self.check(id)
    if active[id]?.isOver(at: now) == true { end(id) }
    guard let transaction = active[id], transaction.database == database else {
      throw StatusError(
        .invalidArgument,
        "The referenced transaction has expired or is no longer valid."
      )
    }
    active[id]?.lastUse = now
    return transaction
  }

  /// Sets the time of a transaction's snapshot.
  mutating func setReadTime(_ time: Int64, of id: TransactionID) { active[id]?.readTime = time }

  mutating func read(_ names: [DocumentName], by id: TransactionID) {
    active[id]?.read(names)
    guard active[id]?.mode == .pessimistic else { return }
    for name in names { readers[name, default: []].insert(id) }
  }

  /// Records the read of a query.
  ///
  /// - Returns: The number that identifies the query in a call of `stopped`.
  mutating func read(_ query: PreparedQuery, by id: TransactionID) -> Int {
    if active[id]?.mode == .pessimistic { queriers.insert(id) }
    return active[id]?.read(query) ?? 0
  }

  /// Records that a transaction stopped reading a query at the query's limit, after a row.
  mutating func stopped(_ id: TransactionID, _ number: Int, at row: Row) {
    active[id]?.stopped(number, at: row)
  }

  /// Ends a transaction. If it has already ended, nothing happens.
  mutating func end(_ id: TransactionID) {
    guard let transaction = active.removeValue(forKey: id) else { return }
    queriers.remove(id)
    guard transaction.mode == .pessimistic else { return }
    for key in transaction.documents {
      readers[key]?.remove(id)
      if readers[key]?.isEmpty == true { readers[key] = nil }
    }
  }

  func transaction(_ id: TransactionID) -> Transaction? { active[id] }

  /// Returns the active transactions of a database.
  func all(in database: DatabaseName) -> [TransactionID] {
    active.values.filter { $0.database == database }.map(\.id)
  }

  /// Returns the pessimistic transactions other than `id` that have read data that the changes
  /// affect.
  func readers(
    of changes: [StagedChange],
    in database: DatabaseName,
    besides id: TransactionID?
  ) -> Set<TransactionID> {
    guard !readers.isEmpty || !queriers.isEmpty else { return [] }
    var found: Set<TransactionID> = []
    for change in changes { found.formUnion(readers[change.name] ?? []) }
    for querier in queriers where active[querier]?.database == database {
      guard let transaction = active[querier], !found.contains(querier) else { continue }
      if changes.contains(where: {
        transaction.hasRead($0.name, $0.key, [$0.before, $0.after])
      }) {
        found.insert(querier)
      }
    }
    if let id { found.remove(id) }
    return found
  }

  /// Ends abandoned transactions, at most every five seconds.
  private mutating func clean(at now: Timestamp) {
    guard now >= nextCleaning else { return }
    nextCleaning = now.advanced(by: .seconds(5))
    for transaction in active.values where transaction.isOver(at: now) { end(transaction.id) }
  }

  /// Checks the length of an ID.
  ///
  /// - Throws: `INVALID_ARGUMENT` for bytes that can't be an ID.
  static func check(_ id: TransactionID) throws(StatusError) {
    guard id.bytes.count == idBytes else {
      throw StatusError(.invalidArgument, "Invalid transaction.")
    }
  }

  /// Returns whether a transaction is older than another.
  static func isOlder(_ left: TransactionID, _ right: TransactionID) -> Bool {
    left.bytes.dropFirst(8).lexicographicallyPrecedes(right.bytes.dropFirst(8))
  }

  private static func number(in id: TransactionID, at offset: Int) -> UInt64 {
    id.bytes.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
