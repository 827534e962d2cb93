import Core
import FirestoreModel

/// The transactions under way.
///
/// An id holds the run of the emulator it is of, the age its owner has when transactions are in
/// each other's way, and a number. A retry has the age of the first attempt.
struct TransactionTable {
  private static let idBytes = 24

  private let run = UInt64.random(in: .min ... .max)
  private var latest: UInt64 = 0
  private var active: [TransactionID: Transaction] = [:]
  /// The pessimistic transactions that have read a document.
  private var readers: [DocumentName: Set<TransactionID>] = [:]
  /// Those that have read a query's answer.
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
      // An id from elsewhere has no age here.
      age = Self.number(in: first, at: 0) == run ? min(Self.number(in: first, at: 8), age) : age
    }
    var bytes = Data()
    for number in [run, age, latest] {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    let id = TransactionID(bytes)
    active[id] = Transaction(id, in: database, options, at: now)
    return id
  }

  /// A transaction that can still be used, and is from now on used.
  ///
  /// - Throws: `INVALID_ARGUMENT`, with words that make clients try again if it is over.
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

  /// Decides which snapshot a transaction reads.
  mutating func setReadTime(_ time: Int64, of id: TransactionID) { active[id]?.readTime = time }

  mutating func read(_ names: [DocumentName], by id: TransactionID) {
    active[id]?.read(names)
    guard active[id]?.mode == .pessimistic else { return }
    for name in names { readers[name, default: []].insert(id) }
  }

  /// - Returns: a number by which `stopped` knows the query.
  mutating func read(_ query: PreparedQuery, by id: TransactionID) -> Int {
    if active[id]?.mode == .pessimistic { queriers.insert(id) }
    return active[id]?.read(query) ?? 0
  }

  /// A transaction read a query no further than this row.
  mutating func stopped(_ id: TransactionID, _ number: Int, at row: Row) {
    active[id]?.stopped(number, at: row)
  }

  /// Ends a transaction; one that has ended already is fine.
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

  /// The transactions under way in a database.
  func all(in database: DatabaseName) -> [TransactionID] {
    active.values.filter { $0.database == database }.map(\.id)
  }

  /// The pessimistic transactions but one that have read what changes.
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

  /// Ends what is over, now and then: nobody may ask for it again.
  private mutating func clean(at now: Timestamp) {
    guard now >= nextCleaning else { return }
    nextCleaning = now.advanced(by: .seconds(5))
    for transaction in active.values where transaction.isOver(at: now) { end(transaction.id) }
  }

  /// - Throws: `INVALID_ARGUMENT` for bytes that were never a transaction's.
  static func check(_ id: TransactionID) throws(StatusError) {
    guard id.bytes.count == idBytes else {
      throw StatusError(.invalidArgument, "Invalid transaction.")
    }
  }

  /// Whether one has been at it for longer than another.
  static func isOlder(_ left: TransactionID, _ right: TransactionID) -> Bool {
    left.bytes.dropFirst(8).lexicographicallyPrecedes(right.bytes.dropFirst(8))
  }

  private static func number(in id: TransactionID, at offset: Int) -> UInt64 {
    id.bytes.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
