import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

struct ExpiryPolicyTests {
  private static let json = """
    {"fieldOverrides": [
      {"collectionGroup": "notes", "fieldPath": "expiresAt", "ttl": true, "indexes": []},
      {"collectionGroup": "drafts", "fieldPath": "meta.`gone-at`", "ttl": true, "indexes": []},
      {"collectionGroup": "kept", "fieldPath": "expiresAt", "indexes": []}
    ]}
    """

  /// Returns a store with an expiry policy and a clock that starts 1,000 seconds after 1970.
  private static func store(
    clock: ManualClock = ManualClock(),
    limits: Store.Limits = .init(),
    log: CommitLog = CommitLog()
  ) throws -> Store {
    Store(
      limits: limits,
      indexes: try IndexConfiguration(Data(json.utf8), name: "firestore.indexes.json"),
      clock: clock.now,
      observers: [log]
    )
  }

  private static func time(_ seconds: Int64) -> Value { .timestamp(Timestamp(seconds: seconds)) }

  @Test(
    arguments: [
      ("notes/n", ["expiresAt": time(999)], true),
      ("notes/n", ["expiresAt": time(1_000)], true),
      ("a/b/notes/n", ["expiresAt": time(0)], true),
      ("drafts/d", ["meta": ["gone-at": time(999)]], true),
      ("notes/n", ["expiresAt": time(1_001)], false),
      ("notes/n", [:], false),
      ("notes/n", ["expiresAt": 999], false),
      ("notes/n", ["expiresAt": "1970-01-01T00:00:00Z"], false),
      ("notes/n", ["expiresAt": .null], false),
      ("notes/n", ["expiresAt": [time(1)]], false),
      ("notes/n", ["expiresAt": ["at": time(1)]], false),
      ("drafts/d", ["meta": time(1)], false),
      ("drafts/d", ["expiresAt": time(1)], false),
      ("kept/k", ["expiresAt": time(1)], false),
      ("notes/n/others/o", ["expiresAt": time(1)], false),
    ] as [(String, Fields, Bool)]
  )
  func `a document with a past time in the policy's field is deleted`(
    path: String,
    fields: Fields,
    goes: Bool
  ) async throws {
    let store = try Self.store()
    try store.commit(.set(path, fields))
    #expect(try await store.expire() == (goes ? 1 : 0))
    #expect(try store.fields(path) == (goes ? nil : fields))
  }

  @Test func `a document is deleted at its time, with expiry as the cause`()
    async throws
  {
    let (clock, log) = (ManualClock(), CommitLog())
    let store = try Self.store(clock: clock, log: log)
    try store.commit(.set("notes/n", ["expiresAt": Self.time(2_000)]))
    clock.set(Timestamp(seconds: 1_999))
    #expect(try await store.expire() == 0)
    clock.set(Timestamp(seconds: 2_000))
    #expect(try await store.expire() == 1)
    let commit = try #require(log.commits.last)
    #expect(commit.changes.map(\.kind) == [.deleted])
    #expect(commit.cause == CommitCause(traceparent: nil, caller: .expiry, firesTriggers: true))
    #expect(try await store.expire() == 0)
    #expect(log.commits.count == 2)
  }

  @Test func `documents below a deleted document stay`() async throws {
    let store = try Self.store()
    try store.commit(
      .set("notes/n", ["expiresAt": Self.time(1)]),
      .set("notes/n/pages/p", ["text": "x"])
    )
    #expect(try await store.expire() == 1)
    #expect(try store.fields("notes/n/pages/p") == ["text": "x"])
  }

  @Test func `ten thousand documents of several databases are deleted in many commits`()
    async throws
  {
    let log = CommitLog()
    let store = try Self.store(log: log)
    let other = DatabaseName(project: "p", database: "other")
    let elsewhere = DatabaseName(project: "q")
    for database in [other, elsewhere] {
      let name = try StoreTests.name("notes/n", in: database)
      let document = Document(name: name, fields: ["expiresAt": Self.time(1)])
      _ = try await store.commit([Write(.update(document))], in: database)
    }
    for start in stride(from: 0, to: 10_000, by: 500) {
      let writes = try (start..<start + 500).map {
        try Write.set("c/\($0 % 7)/notes/\($0)", ["expiresAt": Self.time(Int64($0 % 900))])
      }
      _ = try await store.commit(writes, in: database)
    }
    try store.commit(.set("notes/young", ["expiresAt": Self.time(5_000)]))
    let before = log.commits.count
    #expect(try await store.expire() == 10_002)
    let commits = log.commits.dropFirst(before)
    #expect(commits.allSatisfy { $0.changes.count <= Store.expiryBatch })
    #expect(Set(commits.map(\.database)) == [database, other, elsewhere])
    #expect(store.databases == [database])
    #expect(try store.fields("notes/young") != nil)
  }

  @Test func `a locked document stays until the next run and doesn't delay others`()
    async throws
  {
    var limits = Store.Limits()
    limits.lockWait = .milliseconds(1)
    let store = try Self.store(limits: limits)
    for id in 0..<9 { try store.commit(.set("notes/\(id)", ["expiresAt": Self.time(1)])) }
    let transaction = try store.begin(.readWrite(retrying: nil, .pessimistic), in: database)
    _ = try store.attemptDocuments([name("notes/4")], in: database, .transaction(transaction)).now
    #expect(try await store.expire() == 8)
    #expect(try store.fields("notes/4") != nil)
    // The transaction moves the document's expiry to a later time.
    _ = try await store.commit(
      [.set("notes/4", ["expiresAt": Self.time(9_999)])],
      in: database,
      transaction: transaction
    )
    #expect(try await store.expire() == 0)
  }

  @Test func `a collection group has one policy, and without a file nothing expires`()
    async throws
  {
    let json = """
      {"fieldOverrides": [
        {"collectionGroup": "notes", "fieldPath": "a", "ttl": true, "indexes": []},
        {"collectionGroup": "notes", "fieldPath": "b", "ttl": true, "indexes": []}]}
      """
    #expect(
      statusError { try IndexConfiguration(Data(json.utf8), name: "i.json") }
        == invalid("i.json: only one field of a collection group can have ttl, but notes has a, b")
    )
    let store = Store()
    try store.commit(.set("notes/n", ["expiresAt": Self.time(1)]))
    #expect(try await store.expire() == 0)
  }

  @Test func `the suggested index for a field keeps its policy`() throws {
    let store = try Self.store()
    let error = statusError {
      let query = StructuredQuery(from: "notes", orderBy: [Order(FieldPath("expiresAt"))])
      return try store.run(query, parent: resource())
    }
    #expect(error?.message.contains(#""fieldPath":"expiresAt","#) == true)
    #expect(error?.message.contains(#""ttl":true"#) == true)
  }
}
