import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct CommitTests {
  @Test func `a new document has the commit's time as creation and update time`() throws {
    let clock = ManualClock(Timestamp(seconds: 5, nanoseconds: 123_456_789))
    let store = Store(clock: clock.now)
    let commit = try store.commit(.set("c/x", ["a": 1]))
    #expect(commit.time == Timestamp(seconds: 5, nanoseconds: 123_456_000))
    #expect(commit.results == [WriteResult(updateTime: commit.time)])
    let document = try store.document(name("c/x"))
    #expect(document?.createTime == commit.time && document?.updateTime == commit.time)
    #expect(document?.fields == ["a": 1])
  }

  @Test func `commit times increase even if the clock stands still or goes back`() throws {
    let clock = ManualClock()
    let store = Store(clock: clock.now)
    var times = [try store.commit(.set("c/x", ["a": 1])).time]
    times.append(try store.commit(.set("c/x", ["a": 2])).time)
    clock.set(Timestamp(seconds: 500))
    times.append(try store.commit([], in: DatabaseName(project: "other")).time)
    clock.set(Timestamp(seconds: 2_000))
    times.append(try store.commit(.set("c/x", ["a": 3])).time)
    #expect(
      times.map(\.microseconds) == [1_000_000_000, 1_000_000_001, 1_000_000_002, 2_000_000_000]
    )
  }

  @Test func `a commit's time is later than every read that did not see it`() throws {
    let store = Store(clock: ManualClock().now)
    let read = try store.documents([try name("c/x")])
    let commit = try store.commit(.set("c/x"))
    #expect(read.documents.isEmpty && read.readTime < commit.time)
    let later = try store.documents([try name("c/x")])
    #expect(later.documents.count == 1 && later.readTime >= commit.time)
    #expect(try store.commit(.set("c/y")).time > later.readTime)
    let query = try store.run(StructuredQuery(from: "c"), parent: resource())
    #expect(try store.commit(.set("c/z")).time > query.readTime)
  }

  @Test func `an update keeps the creation time, and a deletion and creation renews it`() throws {
    let store = Store()
    let created = try store.commit(.set("c/x", ["a": 1])).time
    let updated = try store.commit(.set("c/x", ["a": 2])).time
    #expect(try store.document(name("c/x"))?.createTime == created)
    #expect(try store.document(name("c/x"))?.updateTime == updated)
    try store.commit(.delete("c/x"))
    #expect(try store.document(name("c/x")) == nil)
    let renewed = try store.commit(.set("c/x", ["a": 2])).time
    #expect(try store.document(name("c/x"))?.createTime == renewed)
  }

  @Test func `writes see the writes before them`() throws {
    let store = Store()
    let commit = try store.commit(
      .set("c/x", ["a": 1], if: .exists(false)),
      .set("c/x", ["b": 2], mask: ["b"], if: .exists(true)),
      .set("c/y", ["d": 4]),
      .delete("c/y", if: .exists(true)),
      .set("c/y", ["c": 3], if: .exists(false))
    )
    #expect(try store.fields("c/x") == ["a": 1, "b": 2])
    #expect(try store.fields("c/y") == ["c": 3])
    #expect(commit.results.allSatisfy { $0.updateTime == commit.time })
  }

  @Test func `a commit applies all writes or none`() throws {
    let log = CommitLog()
    let store = Store(clock: ManualClock().now, observers: [log])
    let first = try store.commit(.set("c/kept", ["a": 1]))
    let error = statusError {
      try store.commit(
        .set("c/new"),
        .delete("c/kept"),
        .set("c/missing", if: .exists(true))
      )
    }
    #expect(error?.code == .notFound)
    #expect(try store.document(name("c/new")) == nil)
    #expect(try store.document(name("c/kept"))?.updateTime == first.time)
    #expect(log.commits.count == 1)
  }

  @Test func `a limit broken by the last write undoes the first`() throws {
    let store = Store()
    let error = statusError {
      try store.commit(.set("c/new"), .set("c/bad", ["a": [[]]]))
    }
    #expect(error?.code == .invalidArgument)
    #expect(try store.document(name("c/new")) == nil)
    #expect(store.databases.isEmpty)
  }

  @Test func `a commit without writes has a time and no results`() throws {
    let store = Store()
    let commit = try store.commit([], in: database)
    #expect(commit.results.isEmpty && commit.changes.isEmpty)
    #expect(try store.commit([], in: database).time > commit.time)
  }

  @Test func `a deletion has no update time, and deleting a missing document is no error`() throws {
    let store = Store()
    try store.commit(.set("c/x"))
    for path in ["c/x", "c/x", "c/never"] {
      #expect(try store.commit(.delete(path)).results == [WriteResult(updateTime: nil)])
    }
  }

  @Test func `results of one document all have its final update time`() throws {
    let store = Store()
    let created = try store.commit(.set("c/x", ["a": 1]))
    let noOp = try store.commit(.set("c/x", ["a": 2]), .set("c/x", ["a": 1]))
    #expect(noOp.results.map(\.updateTime) == [created.time, created.time])
    let gone = try store.commit(.set("c/y"), .delete("c/y"))
    #expect(gone.results.map(\.updateTime) == [nil, nil])
    let renewed = try store.commit(.delete("c/x"), .set("c/x", ["a": 1]))
    #expect(renewed.results.map(\.updateTime) == [renewed.time, renewed.time])
  }

  @Test func `a write to another database than the commit's is refused`() throws {
    let other = DatabaseName(project: "p", database: "other")
    let store = Store()
    let error = statusError { try store.commit([.set("c/x")], in: other) }
    #expect(
      error
        == invalid(
          "Document projects/p/databases/d/documents/c/x is not in the commit's database "
            + "projects/p/databases/other."
        )
    )
  }

  @Test func `databases are isolated, listed by name and cleared alone`() throws {
    let log = CommitLog()
    let store = Store(observers: [log])
    let other = DatabaseName(project: "a", database: "z")
    _ = try store.commit(
      [Write(.update(Document(name: name("c/x", in: other), fields: ["a": 1])))],
      in: other
    )
    try store.commit(.set("c/x", ["a": 2]), .set("c/x/s/y"))
    #expect(store.databases == [other, database])
    _ = try store.attemptClear(database).now
    #expect(store.databases == [other])
    #expect(try store.document(name("c/x")) == nil)
    #expect(try store.document(name("c/x/s/y")) == nil)
    #expect(try store.document(name("c/x", in: other))?.fields == ["a": 1])
    #expect(log.commits.count == 2)
  }

  @Test func `every commit is reported in order with its cause`() throws {
    let log = CommitLog()
    let store = Store(observers: [log])
    let cause = CommitCause(traceparent: "00-1-2-01", caller: .user(uid: "ada"))
    _ = try store.attemptCommit([.set("c/x")], in: database, cause: cause)
    try store.commit(.set("c/x"))
    #expect(log.commits.map(\.cause) == [cause, CommitCause(traceparent: nil, caller: .admin)])
    #expect(log.commits.map(\.changes.count) == [1, 0])
    #expect(log.commits[0].time < log.commits[1].time)
  }

  @Test func `concurrent increments are all counted, and reported in the order of their times`()
    async throws
  {
    let log = CommitLog()
    let store = Store(observers: [log])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            try store.commit(
              .transform("c/x", [FieldTransform(FieldPath("n"), .increment(1))]),
              .transform("c/y", [FieldTransform(FieldPath("n"), .increment(1))])
            )
            let both = try store.documents([try name("c/x"), try name("c/y")]).documents
            #expect(Set(both.values.map(\.fields)).count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.fields("c/x") == ["n": 400])
    #expect(log.commits.map(\.time) == log.commits.map(\.time).sorted())
    #expect(Set(log.commits.map(\.time)).count == 400)
  }

  @Test func `ids that look alike but have other bytes are other documents`() throws {
    let store = Store()
    try store.commit(.set("c/\u{E9}", ["v": 1]), .set("c/e\u{301}", ["v": 2]))
    #expect(try store.fields("c/\u{E9}") == ["v": 1])
    #expect(try store.fields("c/e\u{301}") == ["v": 2])
    #expect(try store.ids(StructuredQuery(from: "c")).count == 2)
  }
}
