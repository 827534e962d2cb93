import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

/// Large requests of one client that must not delay other clients.
///
/// With quadratic cost, each would take minutes.
@Suite(.timeLimit(.minutes(10)))
struct LoadTests {
  private static let pessimistic = TransactionOptions.readWrite(retrying: nil, .pessimistic)
  private static let optimistic = TransactionOptions.readWrite(retrying: nil, .optimistic)

  private static func numbers(_ range: Range<Int64>) -> [Value] { range.map(Value.integer) }

  @Test func `many elements are added to a large array and removed`() throws {
    let store = Store()
    let path = FieldPath("list")
    try store.commit(.set("c/x", ["list": .array(Self.numbers(0..<30_000))]))
    try store.commit(
      .transform(
        "c/x",
        [FieldTransform(path, .appendMissingElements(Self.numbers(15_000..<45_000)))]
      )
    )
    #expect(try store.fields("c/x")?["list"]?.arrayValue == Self.numbers(0..<45_000))
    try store.commit(
      .transform("c/x", [FieldTransform(path, .removeAllFromArray(Self.numbers(0..<44_000)))])
    )
    #expect(try store.fields("c/x")?["list"]?.arrayValue == Self.numbers(44_000..<45_000))
  }

  @Test func `a large array in an indexed collection is changed`() throws {
    let store = Store()
    for id in 0..<70 { try store.commit(.set("c/\(id)", ["list": [1]])) }
    try store.commit(.set("c/x", ["list": .array(Self.numbers(0..<30_000))]))
    try store.commit(.set("c/x", ["list": .array(Self.numbers(1..<30_001))]))
    let found = { (number: Int64) in
      try store.ids(query(.field(FieldPath("list"), .arrayContains, .integer(number))))
    }
    #expect(try found(0) == [] && found(30_000) == ["x"] && found(29_999) == ["x"])
  }

  @Test func `an optimistic commit ignores many changes to documents that it hasn't read`()
    throws
  {
    let store = Store()
    try store.commit(.set("c/mine", ["n": 1]))
    let transaction = try store.begin(Self.optimistic, in: database)
    _ = try store.attemptDocuments([name("c/mine")], in: database, .transaction(transaction)).now
    for n in Int64(0)..<4_000 { try store.commit(.set("hot/x", ["n": .integer(n)])) }
    _ = try store.attemptCommit([.set("c/mine")], in: database, transaction: transaction).now
  }

  @Test func `many large commits wait for one reader, and continue when it is done`() async throws {
    let store = Store()
    try store.commit(.set("hot/x", ["n": 0]))
    let reader = try store.begin(Self.pessimistic, in: database)
    _ = try store.attemptDocuments([name("hot/x")], in: database, .transaction(reader)).now
    var waiting: [MaybePending<Commit>] = []
    for number in 0..<300 {
      let others = try (0..<100).map { try Write.set("c/\(number)-\($0)", ["n": 1]) }
      let increment = FieldTransform(FieldPath("n"), .increment(1))
      waiting.append(
        try store.attemptCommit(
          others + [.transform("hot/x", [increment])],
          in: database
        )
      )
    }
    try store.rollback(reader, in: database)
    for commit in waiting { _ = try await commit.value() }
    #expect(try store.fields("hot/x") == ["n": 300])
  }

  @Test func `in a long cycle of waiting transactions one is aborted and all others continue`()
    async throws
  {
    let store = Store()
    let count = 400
    var ring: [TransactionID] = []
    for number in 0..<count {
      let transaction = try store.begin(Self.pessimistic, in: database)
      let names = [try name("c/\(number)")]
      _ = try store.attemptDocuments(names, in: database, .transaction(transaction)).now
      ring.append(transaction)
    }
    var commits: [MaybePending<Commit>] = []
    var aborted = 0
    for (number, transaction) in ring.enumerated() {
      let writes: [Write] = [try .set("c/\((number + 1) % count)")]
      do {
        commits.append(try store.attemptCommit(writes, in: database, transaction: transaction))
      } catch {
        #expect(error == .contention)
        aborted += 1
      }
    }
    for commit in commits { _ = try await commit.value() }
    #expect(aborted == 1 && commits.count == count - 1)
  }

  @Test func `abandoned transactions don't slow others down`() throws {
    let store = Store()
    for number in 0..<20_000 {
      let transaction = try store.begin(Self.pessimistic, in: database)
      let names = [try name("c/\(number)")]
      _ = try store.attemptDocuments(names, in: database, .transaction(transaction)).now
    }
    for n in Int64(0)..<1_000 { try store.commit(.set("other/x", ["n": .integer(n)])) }
    _ = try store.attemptClear(database).now
    try store.commit(.set("c/0", ["n": 1]))
  }
}
