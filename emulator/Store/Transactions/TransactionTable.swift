import FirestoreModel
import Platform
import RPCStatus

/// The transactions under way.
///
/// An id holds the run of the emulator it is of, the age its owner has when transactions are in
/// each other's way, and a number. A retry has the age of the first attempt.
struct TransactionTable {
  private static let idBytes = 24

  private let run = UInt64.random(in: .min ... .max)
  private var latest: UInt64 = 0
  private(set) var active: [TransactionID: Transaction] = [:]

  mutating func begin(
    _ options: TransactionOptions,
    in database: DatabaseName,
    at now: Timestamp
  ) throws(StatusError) -> TransactionID {
    active = active.filter { !$0.value.isOver(at: now) }
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
    if active[id]?.isOver(at: now) == true { active[id] = nil }
    guard let transaction = active[id], transaction.database == database else {
      throw StatusError(
        .invalidArgument,
        "The referenced transaction has expired or is no longer valid."
      )
    }
    active[id]?.lastUse = now
    return transaction
  }

  mutating func update(_ id: TransactionID, _ change: (inout Transaction) -> Void) {
    if active[id] != nil { change(&active[id]!) }
  }

  /// Ends a transaction; one that has ended already is fine.
  mutating func end(_ id: TransactionID) { active[id] = nil }

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

  mutating func endAll(in database: DatabaseName) {
    active = active.filter { $0.value.database != database }
  }

  private static func number(in id: TransactionID, at offset: Int) -> UInt64 {
    id.bytes.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
