import Core
import FirestoreModel
import Synchronization
import TestKit
import Testing

@testable import Store

struct VersionHistoryTests {
  private static let tooOld = StatusError(
    .failedPrecondition,
    "The requested 'read_time' is too old."
  )

  private static func n(_ store: Store, at time: Timestamp) throws -> Value? {
    let name = try name("c/x")
    return try store.attemptDocuments([name], in: database, .readTime(time))
      .now.documents[name]?.fields["n"]
  }

  @Test func `every version of the last hour can be read, and none before`() throws {
    let clock = ManualClock(Timestamp(seconds: 10_000))
    let store = Store(clock: clock.now)
    let first = try store.commit(.set("c/x", ["n": 1])).time
    clock.set(Timestamp(seconds: 12_000))
    let second = try store.commit(.set("c/x", ["n": 2])).time
    let third = try store.commit(.delete("c/x")).time
    #expect(try Self.n(store, at: first) == 1)
    #expect(try Self.n(store, at: Timestamp(microseconds: second.microseconds - 1)) == 1)
    #expect(try Self.n(store, at: second) == 2)
    #expect(try Self.n(store, at: third) == nil)
    #expect(try Self.n(store, at: Timestamp(microseconds: first.microseconds - 1)) == nil)
    clock.set(Timestamp(seconds: 13_601))
    #expect(statusError { try Self.n(store, at: first) } == Self.tooOld)
    #expect(try Self.n(store, at: second) == 2)
    clock.set(Timestamp(seconds: 16_000))
    try store.commit(.set("c/y"))
    #expect(statusError { try Self.n(store, at: third) } == Self.tooOld)
    #expect(
      statusError { try Self.n(store, at: Timestamp(seconds: 16_010)) }
        == invalid("The requested 'read_time' cannot be in the future.")
    )
  }

  @Test func `the history's memory is limited`() throws {
    var limits = Store.Limits()
    limits.historyBytes = 200_000
    let store = Store(limits: limits)
    let first = try store.commit(
      .set("c/x", ["n": 0, "text": .string(String(repeating: "a", count: 1_000))])
    ).time
    var last = first
    for n in 1...1_000 {
      last = try store.commit(.set("c/x", ["n": .integer(Int64(n))], mask: ["n"])).time
    }
    #expect(statusError { try Self.n(store, at: first) } == Self.tooOld)
    #expect(try Self.n(store, at: last) == 1_000)
    #expect(try Self.n(store, at: Timestamp(microseconds: last.microseconds - 1)) == 999)
    let kept = store.state.withLock { $0.databases[database]?.log.end ?? 0 }
    #expect(kept == 1_001)
  }

  @Test func `a reader whose snapshot is no longer available gets an error`() throws {
    var limits = Store.Limits()
    limits.historyBytes = 10_000
    let store = Store(limits: limits)
    for id in 0..<100 { try store.commit(.set("c/\(id)", ["n": 0])) }
    let cursor = try store.attemptQuery(StructuredQuery(from: "c"), parent: resource(), .latest).now
    #expect(try cursor.next(10).count == 10)
    for n in 0..<1_000 { try store.commit(.set("c/5", ["n": .integer(Int64(n))])) }
    #expect(statusError { try cursor.next(10) }?.code == .aborted)
    let other = try store.attemptQuery(StructuredQuery(from: "c"), parent: resource(), .latest).now
    _ = try store.attemptClear(database).now
    #expect(statusError { try other.next(10) }?.code == .aborted)
  }
}
