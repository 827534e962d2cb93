import Core
import FirestoreModel
import Synchronization
import TestKit
import Testing

@testable import Store

/// A store that writes commits to a journal before they become visible.
@Suite(.timeLimit(.minutes(10)))
struct JournalTests {
  private let journal = TestJournal()

  private func makeStore(_ log: CommitLog = CommitLog()) -> Store {
    Store(journal: journal, observers: [log])
  }

  @Test func `acknowledged commits are in the journal in their order`() async throws {
    let log = CommitLog()
    let store = makeStore(log)
    for n in Int64(0)..<5 {
      _ = try await store.commitAfterJournal(.set("c/x", ["n": .integer(n)]))
    }
    let kept = journal.entries.flatMap(\.self).compactMap { entry in
      if case .commit(let commit) = entry { commit } else { nil }
    }
    #expect(kept.map(\.time) == log.commits.map(\.time))
    #expect(kept.map { $0.changes[0].after?.fields["n"] } == (0..<5).map { .integer($0) })
  }

  @Test func `concurrent commits are written as one group`() async throws {
    let store = makeStore()
    let attempts = try journal.gather {
      try (0..<50).map { try store.attemptCommit([.set("c/\($0)")], in: database) }
    }
    for attempt in attempts { _ = try await attempt.value() }
    #expect(journal.entries.map(\.count) == [50])
  }

  @Test func `a commit that changes nothing isn't journaled`() async throws {
    let store = makeStore()
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 1]))
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 1]))
    _ = try await store.commitAfterJournal(.delete("c/y"))
    #expect(journal.entries.count == 1)
  }

  @Test func `a failed commit has its usual error and isn't journaled`() async throws {
    let store = makeStore()
    await #expect(throws: StatusError(.notFound, "No document to update: \(try name("c/x"))")) {
      try await store.commitAfterJournal(.set("c/x", if: .exists(true)))
    }
    #expect(journal.entries.isEmpty)
  }

  @Test func `a commit that the journal refuses is undone`() async throws {
    let log = CommitLog()
    let store = makeStore(log)
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 1]))
    journal.refuse { _ in true }
    await #expect(throws: TestJournal.full) {
      try await store.commitAfterJournal(.set("c/x", ["n": 2]), .set("c/y"), .delete("c/z"))
    }
    await #expect(throws: TestJournal.full) { try await store.attemptClear(database).value() }
    #expect(try store.ids(query()) == ["x"])
    #expect(try store.fields("c/x") == ["n": 1])
    journal.refuse { _ in false }
    _ = try await store.commitAfterJournal(.set("c/y", if: .exists(false)))
    #expect(try store.ids(query()) == ["x", "y"])
    #expect(log.commits.count == 2)
  }

  @Test func `a failure caused by an undone commit is reported as a full disk`() async throws {
    let store = makeStore()
    journal.refuse { _ in true }
    let attempts = try journal.gather {
      [
        try store.attemptCommit([.set("c/x", if: .exists(false))], in: database),
        try store.attemptCommit([.set("c/x", if: .exists(false))], in: database),
      ]
    }
    for attempt in attempts {
      await #expect(throws: TestJournal.full) { _ = try await attempt.value() }
    }
  }

  @Test func `a commit that waits for a lock is journaled when the lock is released`()
    async throws
  {
    let store = makeStore()
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 1]))
    let reader = try store.begin(.readWrite(retrying: nil, .pessimistic), in: database)
    _ = try store.attemptDocuments([name("c/x")], in: database, .transaction(reader)).now
    let waiting = try store.attemptCommit([.set("c/x", ["n": 2])], in: database)
    async let answer = waiting.value()
    // When this commit is done, the store has also tried the waiting commit.
    _ = try await store.commitAfterJournal(.set("c/other"))
    #expect(try store.fields("c/x") == ["n": 1])
    try store.rollback(reader, in: database)
    _ = try await answer
    #expect(try store.fields("c/x") == ["n": 2])
    #expect(journal.entries.flatMap(\.self).count == 3)
  }

  @Test func `a commit that waited fails if the disk is full by then`() async throws {
    let store = makeStore()
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 1]))
    let reader = try store.begin(.readWrite(retrying: nil, .pessimistic), in: database)
    _ = try store.attemptDocuments([name("c/x")], in: database, .transaction(reader)).now
    let waiting = try store.attemptCommit([.set("c/x", ["n": 2])], in: database)
    let answer = Task { try await waiting.value() }
    _ = try await store.commitAfterJournal(.set("c/other"))
    journal.refuse { _ in true }
    try store.rollback(reader, in: database)
    await #expect(throws: TestJournal.full) { _ = try await answer.value }
    #expect(try store.fields("c/x") == ["n": 1])
  }

  @Test func `a commit that waits too long for a lock is refused`() async throws {
    var limits = Store.Limits()
    limits.lockWait = .milliseconds(1)
    let store = Store(limits: limits, journal: journal)
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 1]))
    let reader = try store.begin(.readWrite(retrying: nil, .pessimistic), in: database)
    _ = try store.attemptDocuments([name("c/x")], in: database, .transaction(reader)).now
    await #expect(throws: StatusError.contention) {
      try await store.commitAfterJournal(.set("c/x", ["n": 2]))
    }
    #expect(try store.fields("c/x") == ["n": 1])
  }

  @Test func `concurrent transactions lose no increment`() async throws {
    let store = makeStore()
    _ = try await store.commitAfterJournal(.set("c/x", ["n": 0]))
    let name = try name("c/x")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var added = 0
          var first: TransactionID?
          while added < 10 {
            do {
              let id = try store.begin(.readWrite(retrying: first, .pessimistic), in: database)
              first = first ?? id
              let read = try await store.attemptDocuments([name], in: database, .transaction(id))
                .value()
              guard case .integer(let n)? = read.documents[name]?.fields["n"] else { return }
              let write = try Write.set("c/x", ["n": .integer(n + 1)])
              _ = try await store.commit([write], in: database, transaction: id)
              added += 1
              first = nil
            } catch let error as StatusError where error.code == .aborted {
              continue
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.fields("c/x") == ["n": 80])
  }

  @Test func `a store starts with the journal's documents, and without history`() async throws {
    let kept = Timestamp(seconds: 2_000)
    let old = Document(
      name: try name("c/x"),
      fields: ["n": 1],
      createTime: Timestamp(seconds: 1_000),
      updateTime: kept
    )
    let clock = ManualClock(Timestamp(seconds: 1_500))
    let store = Store(
      contents: StoreContents(documents: [database: [old]], lastCommitTime: kept),
      journal: journal,
      clock: clock.now
    )
    #expect(store.document(old.name) == old)
    let commit = try await store.commitAfterJournal(
      .set("c/x", ["n": 2], if: .updateTime(kept))
    )
    // The clock is behind the journal's last time, and the new commit's time is later nevertheless.
    #expect(commit.time > kept)
    let read = { (time: Timestamp) in
      try store.attemptDocuments([old.name], in: database, .readTime(time)).now.documents
    }
    #expect(try read(kept) == [old.name: old])
    #expect(throws: StatusError.self) { try read(Timestamp(seconds: 1_999)) }
  }

  @Test func `closing waits for pending commits`() async throws {
    let store = makeStore()
    let attempts = try (0..<20).map { try store.attemptCommit([.set("c/\($0)")], in: database) }
    await store.close()
    #expect(journal.isClosed && journal.entries.flatMap(\.self).count == 20)
    for attempt in attempts { _ = try await attempt.value() }
  }
}
