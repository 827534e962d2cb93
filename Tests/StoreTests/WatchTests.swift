import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(10)))
struct WatchTests {
  private let store = Store()
  private let client: WatchClient

  init() { client = WatchClient(store) }

  // MARK: Changes

  @Test func `a query's listener gets documents that start, continue or cease to match`()
    async throws
  {
    try store.commit(.set("c/a", ["v": 1]), .set("c/b", ["v": 5]))
    try client.watch(query(filter(.lessThan, 3)))
    try await client.hear()
    #expect(client.ids() == ["a"])
    try store.commit(.set("c/c", ["v": 2]))
    try store.commit(.set("c/a", ["v": 0]), .set("c/b", ["v": 6]))
    try store.commit(.set("c/c", ["v": 9]))
    try store.commit(.delete("c/a"))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["+c", "+a", "-c", "!a"])
    #expect(client.ids() == [] && client.eventCount == 4)
  }

  @Test func `a document's listener gets its changes, whether it exists or not`() async throws {
    try store.commit(.set("c/a", ["v": 1]))
    try client.watch(documents: "c/a", "c/b")
    try await client.hear()
    #expect(Set(client.heard.map(\.text)) == ["+a", "!b"])
    try store.commit(.set("c/b"), .delete("c/a"), .set("c/c"))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["+b", "!a"])
  }

  @Test func `a commit that changes nothing causes no event`() async throws {
    try store.commit(.set("c/a", ["v": 1]))
    try client.watch(query())
    try client.watch(documents: "c/a", as: 2)
    try await client.hear()
    try store.commit(.set("c/a", ["v": 1]))
    try store.commit(.set("c/a", ["v": 2]), .set("c/a", ["v": 1]))
    try store.commit(.set("c/b"), .delete("c/b"))
    try store.commit(.verify("c/a", if: .exists(true)))
    try store.commit(.set("other/a"))
    try store.commit()
    try await client.hear()
    #expect(client.eventCount == 0)
  }

  @Test func `a commit is one event for all its changes and a client's targets`() async throws {
    try client.watch(query())
    try client.watch(query(filter(.greaterThan, 1)), as: 2)
    try client.watch(documents: "c/a", as: 3)
    try store.commit(.set("c/a", ["v": 1]), .set("c/a", ["v": 2]), .set("c/b", ["v": 3]))
    try await client.hear()
    #expect(client.eventCount == 1)
    #expect(client.heard.map(\.text).sorted() == ["+a", "+a", "+a", "+b", "+b", "!a"].sorted())
    #expect(client.ids() == ["a", "b"] && client.ids(2) == ["a", "b"] && client.ids(3) == ["a"])
  }

  @Test func `collection groups and queries without a collection can be watched`() async throws {
    try store.commit(.set("a/1/c/x"))
    var group = query()
    group.from = [.init("c", allDescendants: true)]
    try client.watch(group)
    try client.watch(group, below: "a/1", as: 2)
    var all = StructuredQuery.everything
    try client.watch(all, below: "a/1", as: 3)
    all.from = []
    try client.watch(all, below: "a/1", as: 4)
    try store.commit(.set("a/2/c/y"))
    try store.commit(.set("a/1/d/z"))
    try store.commit(.set("a/1/d/z/c/deep"))
    try await client.hear()
    #expect(client.ids() == ["deep", "x", "y"])
    #expect(client.ids(2) == ["deep", "x"])
    #expect(client.ids(3) == ["deep", "x", "z"])
    #expect(client.ids(4) == ["x", "z"])
  }

  @Test func `documents outside a query's cursors aren't sent`() async throws {
    try client.watch(query(orderBy: [Order(v)], from: Cursor([2], before: true), to: Cursor([4])))
    try store.commit(.set("c/a", ["v": 1]), .set("c/b", ["v": 2]), .set("c/c", ["v": 4]))
    try store.commit(.set("c/d", ["v": 5]), .set("c/e"), .set("c/b", ["v": 3]))
    try store.commit(.set("c/c", ["v": 6]))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["+b", "+c", "+b", "-c"])
  }

  @Test func `a projection contains only its fields`() async throws {
    var selected = query()
    selected.select = .init(fields: [.init(v)])
    try store.commit(.set("c/a", ["v": 1, "w": 1]))
    try client.watch(selected)
    try store.commit(.set("c/b", ["v": 2, "w": 2]))
    try await client.hear()
    #expect(Set(client.answers[1, default: [:]].values.map(\.fields)) == [["v": 1], ["v": 2]])
  }

  @Test func `listeners of one query share its events`() async throws {
    let others = (0..<20).map { _ in WatchClient(store) }
    for other in others { try other.watch(query(filter(.greaterThan, 0))) }
    try store.commit(.set("c/a", ["v": 1]))
    for other in others {
      try await other.hear()
      #expect(other.ids() == ["a"])
    }
    try others[0].watch(query(filter(.greaterThan, 0)), as: 2)
    store.unwatch(1, by: others[0].listener)
    try store.commit(.set("c/b", ["v": 1]))
    try await others[0].hear()
    #expect(others[0].closed == [1] && others[0].ids(2) == ["a", "b"])
    for other in others { store.unwatchAll(by: other.listener) }
    #expect(!store.isListenedTo)
  }

  @Test func `changes in another database aren't sent`() async throws {
    try client.watch(query())
    let other = DatabaseName(project: "p", database: "other")
    let write = Write(.update(Document(name: try name("c/a", in: other), fields: [:])))
    _ = try await store.commit([write], in: other)
    try await client.hear()
    #expect(client.eventCount == 0)
  }

  @Test func `a one-time target gets a single answer`() async throws {
    try store.commit(.set("c/a"), .set("c/b"))
    try client.watch(WatchRequest(.query(query(limit: 1), parent: resource()), isOnce: true))
    try store.commit(.set("c/0"))
    try await client.hear()
    #expect(client.ids() == ["a"] && client.eventCount == 0)
    #expect(!store.isListenedTo)
  }

  // MARK: Limits and offsets

  @Test func `a document that leaves a limit's window is replaced by the next`() async throws {
    for number in 0..<5 { try store.commit(.set("c/\(number)", ["v": .integer(Int64(number))])) }
    try client.watch(query(orderBy: [Order(v)], limit: 2))
    try await client.hear()
    #expect(client.ids() == ["0", "1"])
    try store.commit(.delete("c/0"))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["!0", "+2"])
    try store.commit(.set("c/1", ["v": 9]))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["-1", "+3"])
    try store.commit(.set("c/new", ["v": 0]))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["<3", "+new"])
    try store.commit(.set("c/3", ["v": 10]), .set("c/4", ["v": 11]))
    try await client.hear()
    #expect(client.heard.isEmpty && client.eventCount == 3)
    // Both documents leave the query's window in one commit. The last one is reported first.
    try store.commit(.delete("c/2"), .delete("c/new"))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["!new", "!2", "+1", "+3"])
  }

  @Test func `an offset's window moves with the documents before it`() async throws {
    for number in 0..<6 { try store.commit(.set("c/\(number)", ["v": .integer(Int64(number))])) }
    try client.watch(query(orderBy: [Order(v)], offset: 1, limit: 2))
    try client.watch(query(orderBy: [Order(v)], offset: 4), as: 2)
    try await client.hear()
    #expect(client.ids() == ["1", "2"] && client.ids(2) == ["4", "5"])
    try store.commit(.delete("c/0"))
    try await client.hear()
    #expect(client.ids() == ["2", "3"] && client.ids(2) == ["5"])
    try store.commit(.set("c/a", ["v": -1]))
    try await client.hear()
    #expect(client.ids() == ["1", "2"] && client.ids(2) == ["4", "5"])
    try store.commit(.set("c/2", ["v": 2, "w": 1]))
    try await client.hear()
    #expect(client.heard.map(\.text) == ["+2"])
  }

  @Test func `a window with limit 0 stays empty`() async throws {
    try store.commit(.set("c/a"))
    try client.watch(query(limit: 0))
    try store.commit(.set("c/b"))
    try store.commit(.delete("c/a"))
    try await client.hear()
    #expect(client.ids() == [] && client.eventCount == 0)
  }

  // MARK: Errors

  @Test func `a removed target isn't reopened by its pending restart`() async throws {
    try store.commit(.set("c/a"))
    try client.watch(query())
    _ = try store.attemptClear(database).now
    store.unwatch(1, by: client.listener)
    try await client.hear()
    try await client.hear()
    #expect(client.openings.count == 1 && client.closed == [1])
    #expect(!store.isListenedTo)
  }

  @Test func `a query that can't be watched is refused`() throws {
    #expect(throws: invalid("limit is negative")) { try client.watch(query(limit: -1)) }
    var nearest = query()
    nearest.findNearest = .init(
      vectorField: v,
      queryVector: vector(1),
      distanceMeasure: .euclidean,
      limit: 1
    )
    #expect(throws: invalid("A query with find_nearest can't be listened to.")) {
      try client.watch(nearest)
    }
    let indexed = Store(indexes: try IndexConfiguration(Data(#"{"indexes": []}"#.utf8), name: "x"))
    #expect(
      statusError {
        try WatchClient(indexed).watch(query(filter(.equal, 1), orderBy: [Order(FieldPath("w"))]))
      }?.code == .failedPrecondition
    )
  }

  @Test func `a listener that doesn't read is cut off, and others aren't`() async throws {
    let slow = WatchClient(store, maximumWeight: 100_000)
    try slow.watch(query())
    try client.watch(query())
    for number in 0..<20 {
      try store.commit(.set("c/\(number)", ["v": .string(String(repeating: "x", count: 10_000))]))
    }
    let error = await #expect(throws: StatusError.self) { try await slow.hear() }
    #expect(error?.code == .resourceExhausted)
    try await client.hear()
    #expect(client.ids().count == 20)
    store.unwatchAll(by: client.listener)
    #expect(!store.isListenedTo)
  }

  @Test func `documents that enter a window count toward the buffer's limit`() async throws {
    let text = Value.string(String(repeating: "x", count: 10_000))
    for number in 10..<40 { try store.commit(.set("c/\(number)", ["v": text])) }
    let slow = WatchClient(store, maximumWeight: 100_000)
    try slow.watch(query(limit: 1))
    try await slow.hear()
    // The deletions themselves take no space in the buffer. But each moves another document into
    // the query's window.
    for number in 10..<30 { try store.commit(.delete("c/\(number)")) }
    let error = await #expect(throws: StatusError.self) { try await slow.hear() }
    #expect(error?.code == .resourceExhausted)
  }

  // MARK: Openings

  @Test func `clearing the database empties every answer, and watching continues`() async throws {
    try store.commit(.set("c/a"), .set("c/b"), .set("c/d"))
    try client.watch(query())
    try client.watch(query(limit: 1), as: 2)
    try client.watch(documents: "c/a", as: 3)
    try await client.hear()
    _ = try store.attemptClear(database).now
    try await client.hear()
    #expect([1, 2, 3].allSatisfy { client.ids($0).isEmpty })
    try store.commit(.set("c/b"), .set("c/e"))
    try await client.hear()
    #expect(client.ids() == ["b", "e"] && client.ids(2) == ["b"] && client.ids(3) == [])
  }

  @Test func `an opening restarts if its snapshot is no longer available`() async throws {
    var limits = Store.Limits()
    limits.historyBytes = 1_000
    let store = Store(limits: limits)
    let client = WatchClient(store)
    for number in 0..<10 { try store.commit(.set("c/\(number)")) }
    try client.watch(query())
    for number in 5..<15 { try store.commit(.set("c/\(number)", ["v": 1])) }
    _ = try store.attemptClear(database).now
    try store.commit(.set("c/new"))
    try await client.hear()
    try await client.hear()
    #expect(client.openings.map(\.isReset) == [false, true])
    #expect(client.openings.last?.isRestart == true)
    #expect(client.ids() == ["new"])
  }

  @Test func `an event is delivered only once`() async throws {
    let listener = Listener()
    let event = WatchEvent(at: Timestamp(seconds: 5), .clearing)
    // Two targets append the same event before it is read, and a third target appends it
    // afterwards.
    _ = (listener.append(.event(event)), listener.append(.event(event)))
    #expect(try await listener.next().count == 1)
    _ = listener.append(.event(event))
    listener.enqueue(.quiet(event.time))
    guard case .quiet? = try await listener.next().first else {
      throw StatusError(.internal, "the event was heard again")
    }
  }

  @Test func `time advances for a listener without changes`() async throws {
    try client.watch(query())
    try await client.hear()
    let before = client.time
    try store.commit(.set("other/a"))
    try await client.hear()
    #expect(client.time > before)
  }
}
