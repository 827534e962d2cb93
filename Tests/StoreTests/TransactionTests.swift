import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

struct TransactionTests {
  private static let pessimistic = TransactionOptions.readWrite(retrying: nil, .pessimistic)
  private static let optimistic = TransactionOptions.readWrite(retrying: nil, .optimistic)
  private static let expired = StatusError(
    .invalidArgument,
    "The referenced transaction has expired or is no longer valid."
  )

  @Test func `the younger of two that read and write one document is aborted at once`() async throws
  {
    let store = try Store.counting()
    let older = try store.begin(Self.pessimistic, in: database)
    let younger = try store.begin(Self.pessimistic, in: database)
    #expect(try store.read("c/n", in: older) == ["n": 0])
    #expect(try store.read("c/n", in: younger) == ["n": 0])
    let waiting = try store.attemptCommit([.set("c/n", ["n": 1])], in: database, transaction: older)
    guard case .blocked(let wait) = waiting else {
      Issue.record("the commit did not wait for the lock")
      return
    }
    #expect(
      statusError {
        try store.attemptCommit([.set("c/n", ["n": 2])], in: database, transaction: younger)
      } == .contention
    )
    _ = try await wait()
    #expect(try store.fields("c/n") == ["n": 1])
    #expect(statusError { try store.read("c/n", in: younger) } == Self.expired)
  }

  @Test func `the younger of two in a deadlock is aborted, in either order`()
    async throws
  {
    let store = try Store.counting()
    let older = try store.begin(Self.pessimistic, in: database)
    let younger = try store.begin(Self.pessimistic, in: database)
    _ = try store.read("c/n", in: older)
    _ = try store.read("c/m", in: younger)
    let waiting = try store.attemptCommit(
      [.set("c/n"), .set("c/m")],
      in: database,
      transaction: younger
    )
    let commit = try store.attemptCommit(
      [.set("c/m"), .set("c/n")],
      in: database,
      transaction: older
    )
    #expect(try commit.now.results.count == 2)
    await #expect(throws: StatusError.contention) { _ = try await waiting.value() }
  }

  @Test func `a retry has the age of its first attempt`() throws {
    let store = try Store.counting()
    let first = try store.begin(Self.pessimistic, in: database)
    try store.rollback(first, in: database)
    let other = try store.begin(Self.pessimistic, in: database)
    let retry = try store.begin(.readWrite(retrying: first, .pessimistic), in: database)
    _ = try store.read("c/n", in: other)
    _ = try store.read("c/n", in: retry)
    guard
      case .blocked = try store.attemptCommit([.set("c/n")], in: database, transaction: retry)
    else {
      Issue.record("the commit did not wait for the lock")
      return
    }
    #expect(
      statusError { try store.attemptCommit([.set("c/n")], in: database, transaction: other) }
        == .contention
    )
  }

  @Test(arguments: ["commit", "rollback", "failing commit"])
  func `a plain write waits for a reader's lock`(end: String) async throws {
    let store = try Store.counting()
    let reader = try store.begin(Self.pessimistic, in: database)
    _ = try store.read("c/n", in: reader)
    let write = try store.attemptCommit([.set("c/n", ["n": 5])], in: database)
    #expect(try store.fields("c/n") == ["n": 0])
    // Other documents can be written, and reads without a transaction don't wait.
    try store.commit(.set("c/m", ["n": 7]))
    switch end {
    case "commit":
      _ = try store.attemptCommit([.set("c/n", ["n": 1])], in: database, transaction: reader).now
    case "rollback": try store.rollback(reader, in: database)
    default:
      let failing: [Write] = [try .set("c/n", if: .exists(false))]
      #expect(
        statusError { try store.attemptCommit(failing, in: database, transaction: reader) }?.code
          == .alreadyExists
      )
    }
    _ = try await write.value()
    #expect(try store.fields("c/n") == ["n": 5])
  }

  @Test func `a write that waits too long is aborted, and the lock is still held`() async throws {
    var limits = Store.Limits()
    limits.lockWait = .milliseconds(1)
    let store = try Store.counting(limits: limits)
    let reader = try store.begin(Self.pessimistic, in: database)
    _ = try store.read("c/n", in: reader)
    await #expect(throws: StatusError.contention) {
      _ = try await store.commit([.set("c/n", ["n": 5])], in: database)
    }
    _ = try store.attemptCommit([.set("c/n", ["n": 1])], in: database, transaction: reader).now
    #expect(try store.fields("c/n") == ["n": 1])
  }

  @Test func `a cancelled caller stops waiting and its transaction releases its locks`()
    async throws
  {
    let store = try Store.counting()
    let (holder, gone) = (
      try store.begin(Self.pessimistic, in: database),
      try store.begin(Self.pessimistic, in: database)
    )
    _ = try store.read("c/n", in: holder)
    _ = try store.read("c/m", in: gone)
    let waiting = try store.attemptCommit([.set("c/n")], in: database, transaction: gone)
    let task = Task { try await waiting.value() }
    task.cancel()
    await #expect(throws: StatusError(.cancelled, "The request was cancelled.")) {
      _ = try await task.value
    }
    try store.commit(.set("c/m", ["n": 3]))
    #expect(statusError { try store.read("c/m", in: gone) } == Self.expired)
  }

  @Test func `a new reader queues behind a waiting write`()
    async throws
  {
    let store = try Store.counting()
    let (first, second) = (
      try store.begin(Self.pessimistic, in: database),
      try store.begin(Self.pessimistic, in: database)
    )
    _ = try store.read("c/n", in: first)
    let write = try store.attemptCommit([.set("c/n", ["n": 5])], in: database)
    let read = try store.attemptDocuments([name("c/n")], in: database, .transaction(second))
    guard case .blocked = read else {
      Issue.record("a read overtook a waiting write")
      return
    }
    // The transaction that has the lock can read the document again.
    #expect(try store.read("c/n", in: first) == ["n": 0])
    try store.rollback(first, in: database)
    _ = try await write.value()
    let documents = try await read.value().documents
    #expect(try documents[name("c/n")]?.fields == ["n": 5])
  }

  // MARK: Queries

  private static let query = StoreTests.query(
    .field(FieldPath("n"), .greaterThan, 10),
    orderBy: [Order(FieldPath("n"))],
    limit: 2
  )

  /// Returns a store with four documents, a transaction, and the cursor of a query that the
  /// transaction has run.
  private static func queried() throws -> (Store, reader: TransactionID, QueryCursor) {
    let store = Store()
    for number in [5, 15, 20, 25] {
      try store.commit(.set("c/\(number)", ["n": .integer(Int64(number))]))
    }
    let reader = try store.begin(pessimistic, in: database)
    let cursor = try store.attemptQuery(query, parent: resource(), .transaction(reader)).now
    return (store, reader, cursor)
  }

  @Test(
    arguments: [
      ("c/new", ["n": 11], true), ("c/15", ["n": 1], true), ("c/5", ["n": 14], true),
      ("c/5", ["n": 3], false), ("c/25", ["n": 26], false), ("c/new", ["n": 90], false),
      ("d/new", ["n": 11], false),
    ] as [(String, Fields, Bool)]
  )
  func `a write waits if it would change a query's answer`(
    path: String,
    fields: Fields,
    waits: Bool
  ) async throws {
    let (store, reader, cursor) = try Self.queried()
    #expect(try cursor.next(5).map(\.name.id) == ["15", "20"])
    let write = try store.attemptCommit([.set(path, fields)], in: database)
    if case .blocked = write { #expect(waits) } else { #expect(!waits) }
    try store.rollback(reader, in: database)
    _ = try await write.value()
    #expect(try store.fields(path) == fields)
  }

  @Test func `a write behind a query's limit or cursor doesn't wait`() async throws {
    let (store, _, cursor) = try Self.queried()
    // Until the cursor has been read, the store treats every document as part of the query's
    // result.
    let write = try store.attemptCommit([.set("c/25", ["n": 26])], in: database)
    guard case .blocked(let wait) = write else {
      Issue.record("the write did not wait for the query's lock")
      return
    }
    _ = try cursor.next(2)
    _ = try await wait()
    var bounded = StoreTests.query(orderBy: [Order(FieldPath("n"))])
    bounded.endAt = Cursor([20], before: true)
    let other = try store.begin(Self.pessimistic, in: database)
    _ = try store.attemptQuery(bounded, parent: resource(), .transaction(other)).now
    try store.commit(.set("c/26", ["n": 27]))
    guard case .blocked = try store.attemptCommit([.set("c/new", ["n": 19])], in: database) else {
      Issue.record("the write did not wait for the query's lock")
      return
    }
  }

  @Test(arguments: [false, true])
  func `a transaction detects changes to a list that it has read`(showMissing: Bool) throws {
    let store = try Store.counting()
    let transaction = try store.begin(Self.optimistic, in: database)
    let page = try store.attemptList(
      collection: resource("c"),
      showMissing: showMissing,
      .transaction(transaction)
    ).now
    #expect(page.documents.map(\.name.id) == ["m", "n"])
    try store.commit(.set("c/o"))
    #expect(
      statusError { try store.attemptCommit([.set("d/x")], in: database, transaction: transaction) }
        == .contention
    )
  }

  @Test func `a change before the snapshot is no conflict`() throws {
    let store = try Store.counting()
    try store.commit(.set("c/task", ["open": true]))
    try store.commit(.set("c/task", ["open": false]))
    let transaction = try store.begin(Self.optimistic, in: database)
    let cursor = try store.attemptQuery(
      StoreTests.query(.field(FieldPath("open"), .equal, true)),
      parent: resource(),
      .transaction(transaction)
    ).now
    #expect(try cursor.next(5).isEmpty)
    try store.commit(.set("c/task", ["open": false, "seen": true]))
    _ = try store.attemptCommit([.set("c/x")], in: database, transaction: transaction).now
  }

  @Test func `an optimistic transaction reads one snapshot, and fails if it has changed`() throws {
    let store = try Store.counting()
    let transaction = try store.begin(Self.optimistic, in: database)
    #expect(try store.read("c/n", in: transaction) == ["n": 0])
    try store.commit(.set("c/n", ["n": 1]), .set("c/m", ["n": 1]))
    #expect(try store.read("c/m", in: transaction) == ["n": 0])
    #expect(
      statusError { try store.attemptCommit([.set("c/x")], in: database, transaction: transaction) }
        == .contention
    )
    let other = try store.begin(Self.optimistic, in: database)
    _ = try store.read("c/n", in: other)
    try store.commit(.set("c/x"))
    _ = try store.attemptCommit([.set("c/n", ["n": 2])], in: database, transaction: other).now
    #expect(try store.fields("c/n") == ["n": 2])
  }

  @Test func `a document that entered a query's answer and left it is a conflict`() throws {
    let store = try Store.counting()
    let transaction = try store.begin(Self.optimistic, in: database)
    let cursor = try store.attemptQuery(
      StoreTests.query(.field(FieldPath("n"), .greaterThan, 10)),
      parent: resource(),
      .transaction(transaction)
    ).now
    #expect(try cursor.next(5).isEmpty)
    try store.commit(.set("c/new", ["n": 11]))
    try store.commit(.delete("c/new"))
    #expect(
      statusError { try store.attemptCommit([.set("c/x")], in: database, transaction: transaction) }
        == .contention
    )
  }

  @Test func `a read-only transaction reads its snapshot, blocks nothing and writes nothing`()
    throws
  {
    let store = try Store.counting()
    let before = try store.begin(.readOnly(readTime: nil), in: database)
    #expect(try store.read("c/n", in: before) == ["n": 0])
    let time = try store.commit(.set("c/n", ["n": 1])).time
    try store.commit(.set("c/n", ["n": 2]))
    #expect(try store.read("c/n", in: before) == ["n": 0])
    let between = try store.begin(.readOnly(readTime: time), in: database)
    #expect(try store.read("c/n", in: between) == ["n": 1])
    #expect(
      statusError { try store.attemptCommit([.set("c/n")], in: database, transaction: between) }
        == invalid("Cannot modify entities in a read-only transaction.")
    )
    _ = try store.attemptCommit([], in: database, transaction: before).now
  }

  // MARK: IDs and expiry

  @Test func `invalid and expired ids of transactions have different errors`() throws {
    let store = try Store.counting()
    let id = try store.begin(Self.pessimistic, in: database)
    let other = DatabaseName(project: "p", database: "other")
    #expect(
      statusError { try store.attemptCommit([], in: other, transaction: id) } == Self.expired
    )
    _ = try store.attemptCommit([], in: database, transaction: id).now
    #expect(statusError { try store.read("c/n", in: id) } == Self.expired)
    #expect(
      statusError { try store.attemptCommit([], in: database, transaction: id) } == Self.expired
    )
    try store.rollback(id, in: database)
    let garbage = TransactionID(Data([1, 2, 3]))
    for error in [
      statusError { try store.read("c/n", in: garbage) },
      statusError { try store.rollback(garbage, in: database) },
      statusError {
        try store.begin(.readWrite(retrying: garbage, .pessimistic), in: database)
      },
    ] {
      #expect(error == invalid("Invalid transaction."))
    }
  }

  @Test(arguments: [(61, 61), (59, 271)])
  func `a transaction expires after a minute without use, or four and a half in all`(
    step: Int64,
    end: Int64
  ) throws {
    let clock = ManualClock(Timestamp(seconds: 10_000))
    let store = try Store.counting(clock: clock)
    let id = try store.begin(Self.pessimistic, in: database)
    var error: StatusError?
    var seconds: Int64 = 0
    while error == nil {
      seconds += step
      clock.set(Timestamp(seconds: 10_000 + seconds))
      error = statusError { try store.read("c/n", in: id) }
    }
    #expect(error == Self.expired)
    #expect(seconds >= end && seconds < end + step)
    // The expired transaction has released its locks.
    try store.commit(.set("c/n", ["n": 9]))
  }

  @Test func `clearing a database ends its transactions and waiting commits`() async throws {
    let store = try Store.counting()
    let reader = try store.begin(Self.pessimistic, in: database)
    _ = try store.read("c/n", in: reader)
    let write = try store.attemptCommit([.set("c/n", ["n": 5])], in: database)
    _ = try store.attemptClear(database).now
    _ = try await write.value()
    #expect(statusError { try store.read("c/n", in: reader) } == Self.expired)
  }
}

extension Store {
  /// Returns a store with two documents whose field `n` is 0.
  fileprivate static func counting(
    limits: Limits = .init(),
    clock: ManualClock = ManualClock()
  ) throws -> Store {
    let store = Store(limits: limits, clock: clock.now)
    try store.commit(.set("c/n", ["n": 0]), .set("c/m", ["n": 0]))
    return store
  }

  fileprivate func read(_ path: String, in transaction: TransactionID) throws -> Fields? {
    let name = try StoreTests.name(path)
    return try attemptDocuments([name], in: database, .transaction(transaction))
      .now.documents[name]?.fields
  }
}
