import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(10)))
struct ResumptionTests {
  @Test func `a resumed target gets only what is new`() async throws {
    let store = Store()
    try store.commit(.set("c/a"), .set("c/b"), .set("c/c"), .set("c/d", ["v": 1]))
    let client = WatchClient(store)
    try client.watch(query())
    try client.watch(query(limit: 2), as: 2)
    try client.watch(documents: "c/c", "c/b", as: 3)
    try await client.hear()
    try store.commit(.delete("c/b"), .set("c/new"))
    try store.commit(.set("c/d", ["v": 2]))
    try store.commit(.set("c/gone"))
    try store.commit(.delete("c/gone"))
    let resumed = try client.reconnected()
    try await resumed.hear()
    #expect(resumed.openings.allSatisfy { !$0.isReset })
    #expect(resumed.heard.map(\.text).sorted() == ["!b", "!b", "!b", "+c", "+d", "+new"].sorted())
    #expect(resumed.ids() == ["a", "c", "d", "new"])
    #expect(resumed.ids(2) == ["a", "c"] && resumed.ids(3) == ["c"])
  }

  @Test(arguments: [nil, [FieldPath("shown")]])
  func `a displaced document isn't reported as changed`(
    select: [FieldPath]?
  ) async throws {
    let store = Store()
    try store.commit(.set("c/b", ["shown": 1, "other": 1]), .set("c/c", ["shown": 1, "other": 1]))
    let client = WatchClient(store)
    var query = query(limit: 2)
    query.select = select.map { StructuredQuery.Projection(fields: $0.map { .init($0) }) }
    try client.watch(query)
    try await client.hear()
    try store.commit(.set("c/a"), .set("c/aa"), .set("c/c", ["shown": 2]))
    let resumed = try client.reconnected()
    try await resumed.hear()
    #expect(resumed.heard.map(\.text).sorted() == ["+a", "+aa", "-c", "<b"])
  }

  @Test func `a read time resumes like a token`() async throws {
    let store = Store()
    let time = try store.commit(.set("c/a")).time
    try store.commit(.set("c/b"))
    let client = WatchClient(store)
    try client.watch(
      WatchRequest(.query(query(), parent: resource()), resumption: .readTime(time))
    )
    try await client.hear()
    #expect(client.heard.map(\.text) == ["+b"])
  }

  @Test func `a future time or one finer than microseconds doesn't resume`()
    async throws
  {
    let store = Store()
    try store.commit(.set("c/a"))
    let now = Timestamp.now
    for time in [
      Timestamp(seconds: now.seconds + 100), Timestamp(seconds: now.seconds - 1, nanoseconds: 1),
    ] {
      let client = WatchClient(store)
      try client.watch(
        WatchRequest(.query(query(), parent: resource()), resumption: .readTime(time))
      )
      try await client.hear()
      #expect(client.openings.map(\.isReset) == [true] && client.heard.map(\.text) == ["+a"])
    }
  }

  /// Returns a store whose early history has been dropped, and a client with a token from that
  /// time.
  private func forgetful() async throws -> (store: Store, client: WatchClient) {
    var limits = Store.Limits()
    limits.historyBytes = 1_000
    let store = Store(limits: limits)
    try store.commit(.set("c/a"), .set("c/b"), .set("c/c"))
    let client = WatchClient(store)
    try client.watch(query())
    try client.watch(query(orderBy: [Order(.documentName, .descending)], limit: 2), as: 2)
    try client.watch(documents: "c/b", as: 3)
    try await client.hear()
    try store.commit(.delete("c/b"), .set("c/new"))
    for number in 0..<10 { try store.commit(.set("other/\(number)")) }
    return (store, client)
  }

  @Test func `a target that resumes too late is reset`() async throws {
    let (_, client) = try await forgetful()
    let resumed = try client.reconnected()
    try await resumed.hear()
    #expect(resumed.openings.map(\.isReset) == [true, true, true])
    #expect(resumed.ids() == ["a", "c", "new"] && resumed.ids(2) == ["c", "new"])
  }

  @Test func `a target that resumes too late with a count gets changes and all names`() async throws
  {
    let (_, client) = try await forgetful()
    let resumed = try client.reconnected(isCounting: true)
    try await resumed.hear()
    #expect(resumed.openings.map(\.isReset) == [false, false, true])
    #expect(resumed.heard.map(\.text) == ["+new", "+new", "!b"])
    #expect(resumed.ids() == ["a", "c", "new"] && resumed.ids(2) == ["c", "new"])
    #expect(resumed.ids(3) == [])
  }

  @Test(arguments: [true, false])
  func `a token of another run or from the future doesn't resume`(isCounting: Bool) async throws {
    let store = Store()
    try store.commit(.set("c/a"))
    let client = WatchClient(store)
    try client.watch(query())
    try await client.hear()
    let tokens = [
      ResumeToken(run: store.run &+ 1, time: client.time),
      ResumeToken(run: store.run, time: client.time.advanced(by: .seconds(1_000))),
    ]
    for token in tokens {
      let resumed = try client.reconnected(token: token, isCounting: isCounting)
      try await resumed.hear()
      #expect(resumed.openings[0].isReset && resumed.ids() == ["a"])
    }
  }

  @Test func `a token has exactly sixteen bytes`() throws {
    let token = ResumeToken(run: .max, time: Timestamp(microseconds: 1_234_567))
    #expect(ResumeToken(token.bytes) == token)
    // The token must also be read from a slice whose first index isn't 0.
    #expect(ResumeToken((Data([1, 2]) + token.bytes).dropFirst(2)) == token)
    for count in [0, 1, 15, 16, 17] {
      #expect(ResumeToken(Data(repeating: 0x7F, count: count)) == nil)
    }
  }
}
