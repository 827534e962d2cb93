import Core
import FirestoreModel
import Store
import Synchronization
import TestKit
import Testing

@testable import Persistence

/// Imports into a store that already has documents and transactions.
struct ImportTests {
  private final class CommitLog: CommitObserver {
    let commits = Mutex<[Commit]>([])

    func prepare(_ commit: Commit) -> (any CommitEvents)? {
      commits.withLock { $0.append(commit) }
      return nil
    }
  }

  @Test func `an import replaces documents, and equal documents count as unchanged`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let here = Side()
      for id in ["a", "b", "c"] { try await here.set("c/\(id)", ["v": .string(id)]) }
      try await here.export(to: "\(folder)/own")
      try await here.export(to: "\(folder)/google", .google)
      let log = CommitLog()
      let there = Side(Store(observers: [log]))
      try await there.set("c/a", ["v": "old"])
      try await there.set("c/z", ["v": "z"])
      try await there.load("\(folder)/own")
      #expect(try there.documents().map(\.name.id) == ["a", "b", "c", "z"])
      let last = try #require(log.commits.withLock { $0.last })
      #expect(last.changes.map(\.kind) == [.updated, .created, .created])
      // New documents keep their times. The replaced document gets a time later than those of both
      // versions.
      let (mine, theirs) = (try here.documents(), Array(try there.documents().prefix(3)))
      #expect(theirs.map(\.fields) == mine.map(\.fields))
      #expect(theirs.dropFirst() == mine.dropFirst())
      #expect(theirs.first?.updateTime == last.time)
      #expect(!last.cause.firesTriggers)
      // Google's format contains no times. Documents whose fields don't change keep their times.
      try await there.load("\(folder)/google")
      #expect(try Array(there.documents().prefix(3)) == theirs)
      let again = try #require(log.commits.withLock { $0.last })
      #expect(again.changes.isEmpty)
    }
  }

  @Test func `no time is later than the import, nor earlier than a deletion`() async throws {
    let log = CommitLog()
    let side = Side(Store(observers: [log]))
    try await side.set("c/deleted", ["v": 1])
    _ = try await side.store.commit(
      [Write(.delete(documentName("c/deleted")))],
      in: defaultDatabase
    )
    let future = Timestamp(seconds: 200_000_000_000)
    let documents = try [("deleted", Timestamp(seconds: 1)), ("new", future)].map { id, time in
      Document(name: try documentName("c/\(id)"), fields: [:], createTime: time, updateTime: time)
    }
    try await side.put(documents)
    let last = try #require(log.commits.withLock { $0.last })
    for document in try side.documents() {
      #expect(document.updateTime == last.time && document.createTime == last.time)
    }
  }

  @Test func `an import with triggers works like any commit`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let here = Side()
      try await here.set("c/a", ["v": 1])
      try await here.export(to: folder + "/a")
      let log = CommitLog()
      let there = Side(Store(observers: [log]))
      _ = try await there.transfer.importData(
        from: folder + "/a",
        into: project,
        firesTriggers: true
      )
      #expect(log.commits.withLock { $0.map(\.cause) } == [CommitCause()])
    }
  }

  @Test func `large imports are committed in parts`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let here = Side()
      for start in stride(from: 0, to: 2_000, by: 500) {
        let documents = try (start..<start + 500).map {
          Document(name: try documentName("c/\($0)"), fields: ["v": .integer(Int64($0))])
        }
        try await here.put(documents)
      }
      try await here.export(to: folder + "/a")
      let log = CommitLog()
      var limits = Store.Limits()
      // The limit for commits of clients doesn't apply to imports.
      limits.writesPerCommit = 1
      let there = Side(
        Store(limits: limits, observers: [log])
      )
      try await there.load(folder + "/a")
      let sizes = log.commits.withLock { $0.map(\.changes.count) }
      #expect(sizes.reduce(0, +) == 2_000)
      #expect(sizes.count > 4 && sizes.allSatisfy { $0 <= 500 })
      #expect(try there.documents() == here.documents())
    }
  }

  @Test func `an import waits for a transaction's locks`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let here = Side()
      try await here.set("c/a", ["v": "imported"])
      try await here.export(to: folder + "/a")
      let store = Store()
      let there = Side(store)
      try await there.set("c/a", ["v": "old"])
      let id = try store.begin(.readWrite(retrying: nil, .pessimistic), in: defaultDatabase)
      _ = try await store.attemptDocuments(
        [documentName("c/a")],
        in: defaultDatabase,
        .transaction(id)
      ).value()
      async let summary = there.load(folder + "/a")
      let read = try store.document(documentName("c/a"))
      #expect(read?.fields == ["v": "old"])
      _ = try await store.commit([], in: defaultDatabase, transaction: id)
      #expect(try await summary.documents == 1)
      #expect(try store.document(documentName("c/a"))?.fields == ["v": "imported"])
    }
  }

  @Test func `the last of several documents with one name counts`() async throws {
    let side = Side()
    try await side.put(
      [1, 2, 3].map { Document(name: try documentName("c/a"), fields: ["v": .integer($0)]) }
    )
    #expect(try side.documents().map(\.fields) == [["v": 3]])
  }

  @Test func `a project's export becomes another project's data, and references stay the same`()
    async throws
  {
    try await withTemporaryFolder(inMemory: true) { folder in
      let here = Side()
      let reference = Value.reference("\(defaultDatabase.documents)/c/a")
      try await here.set("c/a", ["r": reference])
      for format in ExportFormat.allCases {
        try await here.export(to: "\(folder)/\(format)", format)
        let there = Side()
        _ = try await there.transfer.importData(
          from: "\(folder)/\(format)",
          into: "demo-else",
          firesTriggers: false
        )
        let database = DatabaseName(project: "demo-else")
        #expect(there.store.databases == [database])
        #expect(try there.documents(of: database).map(\.fields) == [["r": reference]])
      }
    }
  }
}
