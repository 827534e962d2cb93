import Core
import FirestoreModel
import Synchronization
import TestKit
import Testing

@testable import Store

/// The checks that callers can make under the store's lock.
struct CheckTests {
  private static let refusal = StatusError(.permissionDenied, "no")

  private let store = Store()

  private func commit(_ writes: Write..., check: CommitCheck? = nil) throws {
    _ = try store.attemptCommit(writes, in: database, check: check).now
  }

  private func set(_ path: String, _ fields: Fields, _ precondition: Precondition? = nil) throws
    -> Write
  {
    Write(
      .update(Document(name: try name(path), fields: fields)),
      currentDocument: precondition
    )
  }

  @Test func `a check of a read sees the state that is read`() throws {
    try commit(try set("c/a", ["v": 1]))
    let time = try #require(try store.document(name("c/a"))?.updateTime)
    try commit(try set("c/a", ["v": 2]))
    let seen = Mutex<[Value?]>([])
    let path = try ResourcePath("c/a")
    let check: ReadCheck = { state in
      seen.withLock { $0.append(state.document(path)?.fields["v"]) }
    }
    for consistency in [ReadConsistency.latest, .readTime(time)] {
      _ = try store.attemptDocuments([name("c/a")], in: database, consistency, check: check).now
      _ = try store.attemptCheck(check, in: database, consistency).now
    }
    _ = try store.document(name("c/a"), check: check)
    #expect(
      seen.withLock(\.self) == [.integer(2), .integer(2), .integer(1), .integer(1), .integer(2)]
    )
  }

  @Test func `a refused read takes no locks`() throws {
    let id = try store.begin(.readWrite(retrying: nil, .pessimistic), in: database)
    let query = StructuredQuery(from: "c")
    #expect(throws: Self.refusal) {
      _ = try store.attemptDocuments([name("c/a")], in: database, .transaction(id)) {
        _ throws(StatusError) in
        throw Self.refusal
      }.now
    }
    #expect(throws: Self.refusal) {
      _ = try store.attemptQuery(query, parent: resource(), .transaction(id)) {
        _ throws(StatusError) in
        throw Self.refusal
      }.now
    }
    try commit(try set("c/a", ["v": 1]))
  }

  @Test func `a check of a commit sees the documents before and after it`() throws {
    try commit(try set("c/a", ["v": 1]))
    let seen = Mutex<[String]>([])
    let untouched = try ResourcePath("c/z")
    try commit(
      set("c/a", ["v": 2]),
      set("c/b", ["v": 1]),
      set("c/a", ["v": 3])
    ) { commit in
      seen.withLock { seen in
        for document in commit.documents {
          let (before, after) = (document.before?.fields["v"], document.after?.fields["v"])
          let path = document.name.path
          seen.append(
            "\(document.name.id) \(document.writes.count) \(before as Any) \(after as Any)"
          )
          #expect(commit.before.document(path) == document.before)
          #expect(commit.documentAfterwards(path) == document.after)
        }
      }
      #expect(commit.documentAfterwards(untouched) == nil)
    }
    #expect(
      seen.withLock(\.self) == [
        "a 2 \(Value.integer(1) as Value? as Any) \(Value.integer(3) as Value? as Any)",
        "b 1 \(Value?.none as Any) \(Value.integer(1) as Value? as Any)",
      ]
    )
  }

  @Test func `a refused commit changes nothing, and its error comes before preconditions`() throws {
    let check: CommitCheck = { _ throws(StatusError) in throw Self.refusal }
    for precondition in [Precondition.exists(true), .exists(false)] {
      #expect(throws: Self.refusal) {
        try commit(try set("c/a", ["v": 1], precondition), check: check)
      }
    }
    #expect(try store.document(name("c/a")) == nil)
  }

  @Test func `a check of a waiting commit is made again`() async throws {
    try commit(try set("c/a", ["v": 1]))
    let id = try store.begin(.readWrite(retrying: nil, .pessimistic), in: database)
    _ = try store.attemptDocuments([name("c/a")], in: database, .transaction(id)).now
    let attempt = try store.attemptCommit([set("c/a", ["v": 9])], in: database) {
      commit throws(StatusError) in
      if commit.documents[0].before?.fields["v"] == .integer(2) { throw Self.refusal }
    }
    _ = try store.attemptCommit([set("c/a", ["v": 2])], in: database, transaction: id).now
    await #expect(throws: Self.refusal) { _ = try await attempt.value() }
    #expect(try store.document(name("c/a"))?.fields["v"] == .integer(2))
  }

  // MARK: Listeners

  /// A check that counts its calls, and fails while a document exists.
  private final class Gate: Sendable {
    let calls = Mutex(0)
    let path: String

    init(_ path: String) { self.path = path }

    var check: WatchCheck {
      { state throws(StatusError) in
        self.calls.withLock { $0 += 1 }
        let path = try ResourcePath(self.path)
        if state.document(path) != nil { throw CheckTests.refusal }
        return [path]
      }
    }
  }

  private func request(_ collection: String, _ gate: Gate) throws -> WatchRequest {
    var request = WatchRequest(.query(StructuredQuery(from: collection), parent: try resource()))
    request.check = gate.check
    return request
  }

  @Test(arguments: [false, true])
  func `a check is repeated only for changes that it depends on`(hasJournal: Bool) async throws {
    let store = Store(journal: hasJournal ? TestJournal() : nil)
    func set(_ path: String) async throws {
      _ = try await store.commit([self.set(path, ["v": 1])], in: database)
    }
    let gate = Gate("gates/g")
    let listener = Listener()
    try store.watch(request("c", gate), as: 1, by: listener)
    for number in 0..<10 { try await set("c/\(number)") }
    #expect(gate.calls.withLock(\.self) == 1)
    store.repeatWatchChecks(of: "other")
    #expect(gate.calls.withLock(\.self) == 1)
    store.repeatWatchChecks()
    #expect(gate.calls.withLock(\.self) == 2)
    _ = try await listener.next()
    _ = try await store.commit(
      [self.set("gates/g", ["v": 1]), self.set("c/secret", ["v": 1])],
      in: database
    )
    #expect(gate.calls.withLock(\.self) == 3)
    let items = try await listener.next()
    #expect(items.count == 1)
    guard case .revoked(1, Self.refusal) = items[0] else {
      Issue.record("\(items)")
      return
    }
    #expect(!store.isListenedTo)
    try await set("c/a")
    store.repeatWatchChecks()
    #expect(gate.calls.withLock(\.self) == 3)
    await store.close()
  }

  @Test func `a target that fails its check is refused`() throws {
    try commit(try set("gates/g", ["v": 1]))
    let listener = Listener()
    #expect(throws: Self.refusal) {
      try store.watch(request("c", Gate("gates/g")), as: 1, by: listener)
    }
    #expect(!store.isListenedTo)
  }

  @Test func `checks end with their targets`() async throws {
    let gate = Gate("gates/g")
    let listener = Listener()
    try store.watch(request("c", gate), as: 1, by: listener)
    try store.watch(request("d", gate), as: 2, by: listener)
    store.unwatch(1, by: listener)
    store.repeatWatchChecks()
    #expect(gate.calls.withLock(\.self) == 3)
    store.unwatchAll(by: listener)
    try commit(try set("gates/g", ["v": 1]))
    #expect(gate.calls.withLock(\.self) == 3)
  }
}
