import Core
import FirestoreModel
import Synchronization
import TestKit
import Testing

@testable import Store

/// Listeners of a store with a journal, which receive only changes that the journal has stored.
@Suite(.timeLimit(.minutes(10)))
struct JournalledWatchTests {
  private let journal = TestJournal()
  private let log = CommitLog()
  private let store: Store
  private let client: WatchClient

  init() {
    store = Store(journal: journal, observers: [log])
    client = WatchClient(store)
  }

  /// Makes one commit for each list of writes. The journal stores all of them as one group.
  private func commitTogether(_ commits: [[Write]]) async throws {
    let attempts = try journal.gather {
      try commits.map { try store.attemptCommit($0, in: database) }
    }
    for attempt in attempts { _ = try await attempt.value() }
  }

  @Test func `commits that the journal refuses reach no listener and no function`() async throws {
    try await commitTogether([[.set("c/a", ["v": 1]), .set("c/b", ["v": 2])]])
    try client.watch(query())
    try client.watch(query(orderBy: [.init(v)], limit: 1), as: 2)
    try client.watch(documents: "c/a", "c/new", as: 3)
    try await client.hear()
    journal.refuse { _ in true }
    let (commits, clearing) = try journal.gather {
      let commits = [
        try store.attemptCommit([.set("c/new", ["v": 0]), .delete("c/a")], in: database),
        try store.attemptCommit([.set("c/b", ["v": 3])], in: database),
      ]
      return (commits, try store.attemptClear(database))
    }
    for commit in commits {
      await #expect(throws: TestJournal.full) { _ = try await commit.value() }
    }
    await #expect(throws: TestJournal.full) { try await clearing.value() }
    try await client.hear()
    #expect(client.eventCount == 0 && log.commits.count == 1)

    journal.refuse { _ in false }
    try await commitTogether([[.delete("c/a")]])
    try await client.hear()
    #expect(client.eventCount == 1 && log.commits.count == 2)
    #expect([1, 2].map { client.ids($0) } == [["b"], ["b"]])
  }

  @Test func `a commit is in the journal before anyone is notified`() async throws {
    let kept = Mutex<[Int]>([])
    let log = CommitLog { [journal] in
      kept.withLock { $0.append(journal.entries.flatMap(\.self).count) }
    }
    let store = Store(journal: journal, observers: [log])
    let listener = Listener()
    let everything = WatchTarget.query(query(), parent: try resource())
    try store.watch(WatchRequest(everything), as: 1, by: listener)
    // The listener's item `closed(0)` marks the moment at which the journal writes.
    journal.refuse { _ in
      listener.enqueue(.closed(0))
      return false
    }
    let attempts = try journal.gather {
      try (0..<3).map { try store.attemptCommit([.set("c/\($0)")], in: database) }
    }
    for attempt in attempts { _ = try await attempt.value() }
    let said = try await listener.next().map { item in
      switch item {
      case .opened: "opened"
      case .closed: "written"
      case .event: "event"
      default: "other"
      }
    }
    #expect(said == ["opened", "written", "event", "event", "event"])
    #expect(kept.withLock { $0 } == [3, 3, 3])
  }

  @Test func `the commits of a group arrive one by one in their order`() async throws {
    try client.watch(query())
    try await client.hear()
    try await commitTogether([
      [.set("c/x", ["v": 1])],
      [.set("c/x", ["v": 2]), .set("c/y")],
      [.delete("c/y")],
      [.set("c/x", ["v": 3])],
    ])
    try await client.hear()
    let times = client.heard.map { change -> Timestamp? in
      if case .present(let document) = change { document.updateTime } else { nil }
    }
    #expect(journal.entries.count == 1 && client.eventCount == 4)
    #expect(client.heard.map(\.text) == ["+x", "+x", "+y", "!y", "+x"])
    let made = log.commits.map(\.time)
    #expect(times == [made[0], made[1], made[1], nil, made[3]])
  }

  @Test(arguments: [64 << 20, 0])
  func `a window shows each commit of a group at its time, however long the history`(
    historyBytes: Int
  ) async throws {
    var limits = Store.Limits()
    limits.historyBytes = historyBytes
    let store = Store(limits: limits, journal: journal)
    let client = WatchClient(store)
    _ = try await store.commitAfterJournal(
      .set("c/a", ["v": 1]),
      .set("c/b", ["v": 2]),
      .set("c/c", ["v": 3])
    )
    try client.watch(query(orderBy: [.init(v)], limit: 1))
    try await client.hear()
    let attempts = try journal.gather {
      [
        try store.attemptCommit([.delete("c/a")], in: database),
        try store.attemptCommit([.set("c/b", ["v": 9])], in: database),
        try store.attemptCommit([.delete("c/c")], in: database),
      ]
    }
    for attempt in attempts { _ = try await attempt.value() }
    try await client.hear()
    #expect(client.heard.map(\.text) == ["!a", "+b", "-b", "+c", "!c", "+b"])
  }

  @Test func `a clearing within a group arrives in its order`() async throws {
    try await commitTogether([[.set("c/old")]])
    try client.watch(query())
    try client.watch(query(limit: 3), as: 2)
    try await client.hear()
    let (before, clearing, after) = try journal.gather {
      (
        try store.attemptCommit([.set("c/before")], in: database),
        try store.attemptClear(database),
        try store.attemptCommit([.set("c/after")], in: database)
      )
    }
    _ = try await before.value()
    try await clearing.value()
    _ = try await after.value()
    try await client.hear()
    #expect(client.eventCount == 3)
    #expect(client.heard.map(\.text) == ["+before", "+before", "+after", "+after"])
    #expect([1, 2].map { client.ids($0) } == [["after"], ["after"]])
  }

  @Test func `a listener that starts during commits gets each of them exactly once`()
    async throws
  {
    for round in 0..<50 {
      let client = WatchClient(store)
      let paths = (0..<20).map { "c/\(round)-\($0)" }
      let first = try paths[..<10].map { try store.attemptCommit([.set($0)], in: database) }
      try client.watch(query())
      let rest = try paths[10...].map { try store.attemptCommit([.set($0)], in: database) }
      for attempt in first + rest { _ = try await attempt.value() }
      try await client.hear()
      #expect(try Set(client.ids()) == Set(store.ids(query())))
      #expect(client.heard.count == client.ids().count)
      store.unwatchAll(by: client.listener)
    }
  }
}
