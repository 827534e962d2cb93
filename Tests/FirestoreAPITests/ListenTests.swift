import Core
import Cryptography
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import GRPC
import Store
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ListenTests {
  private let firestore = Firestore()

  private func delete(_ path: String) throws {
    try firestore.commit(.with { $0.delete = Firestore.name(path) })
  }

  @Test func `a target begins with its documents and continues with the changes`() async throws {
    try firestore.set("c/a", ["v": 1])
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c") { query in
      query.where.unaryFilter.field.fieldPath = "v"
      query.where.unaryFilter.op = .isNotNull
    }
    #expect(try await stream.snapshot() == ["ADD 2", "+a 2", "CURRENT 2", "SNAPSHOT"])
    try firestore.set("c/b", ["v": 1])
    try firestore.set("c/a", ["v": .null])
    try delete("c/b")
    #expect(try await stream.snapshot() == ["+b 2", "SNAPSHOT"])
    #expect(try await stream.snapshot() == ["-a 2", "SNAPSHOT"])
    #expect(try await stream.snapshot() == ["!b 2", "SNAPSHOT"])
    stream.session.end()
    #expect(try await stream.next() == nil)
  }

  @Test func `a missing document is reported as deleted before its target is current`() async throws
  {
    try firestore.set("c/a")
    var stream = Listening(to: firestore)
    stream.add(1, documents: "c/missing")
    #expect(try await stream.snapshot() == ["ADD 1", "!missing 1", "CURRENT 1", "SNAPSHOT"])
    stream.add(3, documents: "c/a")
    #expect(try await stream.snapshot() == ["ADD 3", "+a 3", "CURRENT 3", "SNAPSHOT"])
    try firestore.set("c/missing")
    #expect(try await stream.snapshot() == ["+missing 1", "SNAPSHOT"])
  }

  @Test func `a commit is one snapshot for all targets, with one message per document`()
    async throws
  {
    try firestore.set("c/a", ["v": 1])
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    stream.add(4, collection: "c") { query in
      query.orderBy = [.with { $0.field.fieldPath = "v" }]
      query.limit.value = 1
    }
    stream.add(6, collection: "other")
    for _ in 1...3 { _ = try await stream.snapshot() }
    try firestore.commit(
      .with { $0.update = .named("c/b", ["v": 0]) },
      .with { $0.update = .named("c/a", ["v": 2]) },
      .with { $0.update = .named("other/x") }
    )
    #expect(
      try await stream.snapshot() == ["+b 2 4", "+a 2 -a 4", "+x 6", "SNAPSHOT"]
    )
    try firestore.set("c/c", ["v": -1])
    #expect(try await stream.snapshot() == ["+c 2 4", "<b 4", "SNAPSHOT"])
    try delete("c/c")
    #expect(try await stream.snapshot() == ["!c 2 4", "+b 4", "SNAPSHOT"])
  }

  @Test func `snapshot times only increase, and reach the commit's time`() async throws {
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    var last = Google_Protobuf_Timestamp()
    for number in 0..<3 {
      let commit = try firestore.commit(
        .with { $0.update = .named("c/a", ["v": .integer(Int64(number))]) }
      )
      var readTime = Google_Protobuf_Timestamp()
      repeat {
        let response = try #require(try await stream.next())
        if response.isSnapshot { readTime = response.targetChange.readTime }
      } while (readTime.seconds, readTime.nanos)
        < (commit.commitTime.seconds, commit.commitTime.nanos)
      #expect((last.seconds, last.nanos) < (readTime.seconds, readTime.nanos))
      last = readTime
    }
  }

  @Test func `changes that affect no target are not sent`() async throws {
    try firestore.set("c/a", ["v": 1])
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    _ = try await stream.snapshot()
    try firestore.set("c/a", ["v": 1])
    try firestore.set("other/a")
    stream.session.end()
    #expect(try await stream.next() == nil)
  }

  @Test func `a removed target is confirmed, and gets nothing more`() async throws {
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    _ = try await stream.snapshot()
    stream.send { $0.removeTarget = 2 }
    stream.send { $0.removeTarget = 2 }
    stream.send { $0.removeTarget = 99 }
    try firestore.set("c/a")
    stream.add(2, collection: "c")
    #expect(
      try await stream.next(5) == ["REMOVE 2", "ADD 2", "+a 2", "CURRENT 2", "SNAPSHOT"]
    )
  }

  @Test func `a once target is removed after its first snapshot`() async throws {
    try firestore.set("c/a")
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c") { _ in
    } with: {
      $0.once = true
    }
    #expect(
      try await stream.next(5) == ["ADD 2", "+a 2", "CURRENT 2", "SNAPSHOT", "REMOVE 2"]
    )
    stream.add(2, documents: "c/a")
    #expect(try await stream.snapshot() == ["ADD 2", "+a 2", "CURRENT 2", "SNAPSHOT"])
  }

  @Test func `a once target that is removed and added again gets both answers`()
    async throws
  {
    try firestore.set("c/a")
    var stream = Listening(to: firestore)
    stream.add(2, documents: "c/a") { $0.once = true }
    stream.send { $0.removeTarget = 2 }
    stream.add(2, documents: "c/a")
    #expect(try await stream.snapshot() == ["ADD 2", "+a 2", "CURRENT 2", "SNAPSHOT"])
    #expect(try await stream.next(1) == ["REMOVE 2"])
    #expect(try await stream.snapshot() == ["ADD 2", "+a 2", "CURRENT 2", "SNAPSHOT"])
    try firestore.set("c/a", ["v": 1])
    #expect(try await stream.snapshot() == ["+a 2", "SNAPSHOT"])
    stream.send { $0.removeTarget = 2 }
    #expect(try await stream.next(1) == ["REMOVE 2"])
  }

  @Test func `only a few large documents are encoded before they are read`() async throws {
    let text = Value.string(String(repeating: "x", count: 100_000))
    for number in 0..<20 { try firestore.set("c/\(number)", ["v": text]) }
    let session = ListenSession(firestore.service, firestore.context)
    var responses = ListenResponses(of: session)
    session.receive(
      .with {
        $0.database = Firestore.database
        $0.addTarget.targetID = 2
        $0.addTarget.query.parent = Firestore.documents
        $0.addTarget.query.structuredQuery.from = [.with { $0.collectionID = "c" }]
      }
    )
    session.end()
    var documents = 0
    while let portion = try await responses.next() {
      let count = portion.flatMap(\.responses).count { $0.documentChange.hasDocument }
      #expect(count <= 3)
      documents += count
    }
    #expect(documents == 20)
  }

  @Test func `clearing the database resets all targets`() async throws {
    try firestore.set("c/a")
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    stream.add(1, documents: "c/a")
    for _ in 1...2 { _ = try await stream.snapshot() }
    firestore.service.clear()
    #expect(try await stream.snapshot() == ["RESET 1 2", "CURRENT 1 2", "SNAPSHOT"])
    try firestore.set("c/b")
    #expect(try await stream.snapshot() == ["+b 2", "SNAPSHOT"])
  }

  // MARK: Resuming

  @Test func `a resumed target gets only the changes since its token`() async throws {
    try firestore.set("c/a")
    try firestore.set("c/b")
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    let token = try await stream.token()
    try delete("c/a")
    try firestore.set("c/c")
    var resumed = Listening(to: firestore)
    resumed.add(2, collection: "c") { _ in
    } with: {
      $0.resumeToken = token
    }
    let said = try await resumed.snapshot()
    #expect(said.first == "ADD 2" && said.suffix(2) == ["CURRENT 2", "SNAPSHOT"])
    #expect(said.dropFirst().dropLast(2).sorted() == ["!a 2", "+c 2"])
  }

  @Test(arguments: [Data("garbage".utf8), Data(repeating: 0, count: 16), Data(count: 70_000)])
  func `an invalid token is ignored`(token: Data) async throws {
    try firestore.set("c/a")
    for expectedCount in [nil, 1 as Int32] {
      var stream = Listening(to: firestore)
      stream.add(2, collection: "c") { _ in
      } with: { target in
        target.resumeToken = token
        if let expectedCount { target.expectedCount.value = expectedCount }
      }
      #expect(
        try await stream.snapshot() == ["ADD 2", "RESET 2", "+a 2", "CURRENT 2", "SNAPSHOT"]
      )
    }
  }

  @Test func `a resumed target with an expired token and a count gets a filter of all names`()
    async throws
  {
    try firestore.set("c/a")
    try firestore.set("c/b")
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    let token = try await stream.token()
    // Clearing the database drops its history, too.
    firestore.service.clear()
    try firestore.set("c/a")
    try firestore.set("c/c")
    var resumed = Listening(to: firestore)
    resumed.add(2, collection: "c") { _ in
    } with: { target in
      target.resumeToken = token
      target.expectedCount.value = 2
    }
    var filter = ProtoExistenceFilter()
    var said: [String] = []
    while said.last != "SNAPSHOT", let response = try await resumed.next() {
      if case .filter(let found)? = response.responseType { filter = found }
      said.append(response.text)
    }
    #expect(said == ["ADD 2", "+a 2", "+c 2", "FILTER 2 2", "CURRENT 2", "SNAPSHOT"])
    let names = filter.unchangedNames
    #expect(names.mayContain(Firestore.name("c/a")) && names.mayContain(Firestore.name("c/c")))
    #expect(!names.mayContain(Firestore.name("c/b")))
  }

  // MARK: Errors

  @Test func `a refused target leaves the stream open`() async throws {
    var stream = Listening(to: firestore)
    stream.add(2, collection: "c") { $0.limit.value = -1 }
    #expect(try await stream.next(2) == ["ADD 2", "REMOVE 2 (3 limit is negative)"])
    stream.send { $0.addTarget.targetID = 2 }
    #expect(
      try await stream.next(2) == [
        "ADD 2", "REMOVE 2 (3 A target must have a query or documents.)",
      ]
    )
    stream.send {
      $0.addTarget.targetID = 2
      $0.addTarget.documents = .init()
    }
    #expect(
      try await stream.next(2) == [
        "ADD 2", "REMOVE 2 (3 A target of documents must name at least one document.)",
      ]
    )
    stream.send {
      $0.addTarget.targetID = 2
      $0.addTarget.query.parent = "projects/p/databases/other/documents"
      $0.addTarget.query.structuredQuery = .init()
    }
    #expect(try await stream.next(2)[1].hasPrefix("REMOVE 2 (3 The query is not in the stream's"))
    stream.add(2, collection: "c")
    #expect(try await stream.snapshot() == ["ADD 2", "CURRENT 2", "SNAPSHOT"])
  }

  /// Returns the remaining responses, and the error with which the stream ended.
  private func end(
    of stream: Listening
  ) async throws -> (said: [String], error: StatusError?) {
    var (stream, said) = (stream, [] as [String])
    do {
      while let response = try await stream.next() { said.append(response.text) }
      return (said, nil)
    } catch {
      return (said, error as? StatusError)
    }
  }

  @Test func `a target number in use can't be added again`() async throws {
    let stream = Listening(to: firestore)
    stream.add(2, collection: "c")
    stream.add(2, collection: "d")
    stream.add(4, collection: "c")
    let (said, error) = try await end(of: stream)
    #expect(said == ["ADD 2", "CURRENT 2", "SNAPSHOT"])
    #expect(error == invalid("target_id 2 is already in use."))
  }

  @Test func `a negative target number is refused`() async throws {
    let stream = Listening(to: firestore)
    stream.add(-1, collection: "c")
    #expect(try await end(of: stream).error == invalid("target_id must not be negative."))
  }

  @Test func `a target without a number gets the next free one`() async throws {
    var stream = Listening(to: firestore)
    for number in [0, 7, 0] as [Int32] { stream.add(number, collection: "c") }
    for number in [1, 7, 8] {
      #expect(try await stream.snapshot() == ["ADD \(number)", "CURRENT \(number)", "SNAPSHOT"])
    }
    stream.add(.max, collection: "c")
    stream.add(0, collection: "c")
    #expect(
      try await end(of: stream).error
        == invalid("The highest target_id is in use: set one yourself.")
    )
  }

  @Test func `a stream is for one database`() async throws {
    let nameless = Listening(to: firestore)
    nameless.session.receive(.with { $0.removeTarget = 1 })
    #expect(try await end(of: nameless).error?.code == .invalidArgument)
    let empty = Listening(to: firestore)
    empty.send { _ in }
    #expect(
      try await end(of: empty).error
        == invalid("A listen request must add or remove a target.")
    )
    let faithless = Listening(to: firestore)
    faithless.add(2, collection: "c")
    faithless.session.receive(
      .with {
        $0.database = "projects/p/databases/other"
        $0.removeTarget = 2
      }
    )
    #expect(
      try await end(of: faithless).error
        == invalid("All requests of a listen stream must name the same database.")
    )
  }

  // MARK: Heartbeats

  @Test func `an idle stream gets snapshots with new times`() async throws {
    let service = FirestoreService(
      project: "p",
      store: Store(),
      newID: { "x" },
      heartbeatInterval: .milliseconds(1)
    )
    let (requests, client) = AsyncStream<ProtoListenRequest>.makeStream()
    let (times, onTime) = AsyncStream<Google_Protobuf_Timestamp>.makeStream()
    async let ending: Void = service.listen(
      FailingNever(base: requests),
      firestore.context
    ) { portion in
      for response in portion.flatMap(\.responses) where response.isSnapshot {
        onTime.yield(response.targetChange.readTime)
      }
    }
    client.yield(
      .with {
        $0.database = Firestore.database
        $0.addTarget.targetID = 2
        $0.addTarget.documents.documents = [Firestore.name("c/a")]
      }
    )
    var seen: [Google_Protobuf_Timestamp] = []
    for await time in times {
      seen.append(time)
      if seen.count == 4 { break }
    }
    client.finish()
    try await ending
    for (time, next) in zip(seen, seen.dropFirst()) {
      #expect((time.seconds, time.nanos) <= (next.seconds, next.nanos))
    }
  }
}

/// A sequence of requests that ends without an error.
///
/// Its failure type is the one that the stream requires.
private struct FailingNever: AsyncSequence {
  typealias Failure = StatusError

  let base: AsyncStream<ProtoListenRequest>

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<ProtoListenRequest>.AsyncIterator

    mutating func next() async throws(StatusError) -> ProtoListenRequest? { await base.next() }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StatusError) -> ProtoListenRequest? { await base.next(isolation: actor) }
  }
}

extension FirestoreService {
  fileprivate func clear() {
    _ = try? clearData(
      .with { $0.database = Firestore.database },
      RequestContext(caller: .admin)
    )
  }
}

extension ProtoBloomFilter {
  /// Returns a Boolean value that indicates whether the filter may contain the name.
  ///
  /// Clients compute it the same way: each half of the name's MD5 digest is a little-endian number.
  func mayContain(_ name: String) -> Bool {
    let digest = MD5.digest(name.utf8)
    let halves = [digest.prefix(8), digest.suffix(8)].map { half in
      half.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    let count = UInt64(bits.bitmap.count * 8 - Int(bits.padding))
    return (0..<UInt64(hashCount)).allSatisfy { index in
      let bit = Int((halves[0] &+ index &* halves[1]) % count)
      return bits.bitmap[bit / 8] & 1 << UInt8(bit % 8) != 0
    }
  }
}
