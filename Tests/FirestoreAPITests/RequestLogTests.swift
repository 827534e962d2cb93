import Core
import FirestoreModel
import FirestoreProtos
import Rules
import SwiftProtobuf
import TestKit
import Testing

@testable import FirestoreAPI

/// The requests that security rules have decided on, and their replay.
struct RequestLogTests {
  private static let rules = """
    match /c/{id} {
      function isOpen() { return get(/databases/$(db)/documents/gates/$(request.auth.uid)).data.open; }
      allow read: if isOpen();
      allow write: if request.resource.data.owner == request.auth.uid;
    }
    """

  private let guarded: GuardedFirestore
  private let ana: RequestContext

  init() throws {
    guarded = try GuardedFirestore(Self.rules)
    ana = try .user("ana")
    try guarded.set("gates/ana", ["open": true])
    try guarded.set("c/a", ["owner": "ana"])
  }

  private var log: RequestLog { guarded.rules.requests }

  /// Returns a short text for each request, the newest first.
  private var lines: [String] {
    log.requests.map { request in
      let last = request.decisions.last
      return [
        request.caller.uid ?? "nobody", request.kind.rawValue, last?.method.rawValue ?? "",
        last?.path ?? "",
        request.denial.map { String($0.drop { $0.isNewline }) }
          ?? "line \(last?.statement?.line ?? 0)",
      ].joined(separator: " ")
    }
  }

  @Test func `requests are kept with who sent them and what decided`() async throws {
    _ = try await guarded.batchGet(as: ana, "c/a")
    await #expect(throws: StatusError.self) { try await guarded.batchGet(as: .nobody, "c/a") }
    try guarded.commit(as: ana, .set("c/b", ["owner": "ana"]))
    #expect(throws: StatusError.self) {
      try guarded.commit(as: ana, .set("c/b", ["owner": "ana"]), .set("c/d", ["owner": "ben"]))
    }
    try await Door.query.enter(guarded, as: ana)
    // Administrators pass without rules.
    _ = try await guarded.batchGet(as: .owner, "c/a")
    #expect(
      lines == [
        "ana list list c/* line 6",
        "ana commit create c/d false for 'create' @ L7",
        "ana commit create c/b line 7",
        "nobody get get c/a Null value error. for 'get' @ L6",
        "ana get get c/a line 6",
      ]
    )
    #expect(log.requests[1].decisionCount == 2)
    #expect(log.requests[1].decisions.map(\.path) == ["c/b", "c/d"])
  }

  @Test func `values are those of the time of the request`() async throws {
    _ = try await guarded.batchGet(as: ana, "c/a")
    try guarded.set("gates/ana", ["open": false])
    try guarded.replace("match /c/{id} { allow read: if false; }")
    let request = try #require(log.requests.first)
    let explanation = try #require(request.explanation(of: request.decisions[0]))
    #expect(explanation.decision == .allowed)
    #expect(explanation.rows.contains { $0.text == "isOpen()" && $0.values == ["true"] })
  }

  @Test func `a listener has a request for its beginning and one for its end`() async throws {
    var stream = Listening(to: guarded.firestore, as: ana)
    stream.add(1, documents: "c/a")
    _ = try await stream.snapshot()
    try guarded.set("gates/ana", ["open": true, "n": 1])
    try guarded.set("c/a", ["owner": "ana", "n": 1])
    _ = try await stream.snapshot()
    try guarded.set("gates/ana", ["open": false])
    _ = try await stream.next(1)
    #expect(
      lines == ["ana listen get c/a false for 'get' @ L6", "ana listen get c/a line 6"]
    )
  }

  @Test func `a commit that waits is one request`() async throws {
    let transaction = try guarded.begin(as: .owner)
    _ = try await guarded.batchGet(as: .owner, transaction: transaction, "c/a")
    let waiting = try guarded.service.commit(
      .with {
        $0.database = Firestore.database
        $0.writes = [.set("c/a", ["owner": "ana", "n": 1])]
      },
      ana
    )
    _ = try guarded.service.rollback(
      .with {
        $0.database = Firestore.database
        $0.transaction = transaction
      },
      .owner
    )
    _ = try await waiting.value()
    #expect(lines == ["ana commit update c/a line 7"])
  }

  @Test func `the oldest requests are forgotten`() async throws {
    for number in 0..<1_050 { _ = try? await guarded.batchGet(as: .nobody, "c/n\(number)") }
    let requests = log.requests
    #expect((900...1_000).contains(requests.count))
    #expect(requests[0].decisions[0].path == "c/n1049")
    #expect(log[1] == nil)
    #expect(log[requests[0].number] != nil)
  }

  @Test func `many allowed requests in a second are left out, and no denied one`() async throws {
    let clock = Timestamp(seconds: 1_700_000_000)
    var taken = 0
    for _ in 0..<300 where log.takesAllowed(at: clock) { taken += 1 }
    #expect(taken == 200)
    #expect(log.takesAllowed(at: Timestamp(seconds: 1_700_000_001)))
    for number in 0..<300 { _ = try? await guarded.batchGet(as: .nobody, "c/n\(number)") }
    #expect(log.requests.count == 300)
  }

  @Test func `values of large requests are not kept`() throws {
    let text = Value.string(String(repeating: "x", count: 300_000))
    try guarded.commit(as: ana, .set("c/large", ["owner": "ana", "text": text]))
    let request = try #require(log.requests.first)
    #expect(lines == ["ana commit create c/large line 7"])
    #expect(request.explanation(of: request.decisions[0]) == nil)
    #expect(throws: StatusError.self) { try guarded.service.replay(request, ana) }
    // Smaller ones are kept, but not more than 16 MiB of them.
    let medium = Value.string(String(repeating: "x", count: 100_000))
    for number in 0..<100 {
      try guarded.commit(as: ana, .set("c/m\(number)", ["owner": "ana", "text": medium]))
    }
    #expect(log.requests.count < 90)
  }

  @Test func `rules that were replaced count, too`() throws {
    // A megabyte of text in all, of which each ruleset takes several times as much.
    for number in 0..<20 {
      try guarded.replace("\(Self.rules) // \(number)\(String(repeating: "x", count: 100_000))")
      for name in ["x", "y"] { try guarded.commit(as: ana, .set("c/\(name)", ["owner": "ana"])) }
    }
    #expect((2..<25).contains(log.requests.count))
  }

  @Test func `a denial keeps twenty reasons, those of errors first`() async throws {
    let statements = String(repeating: "allow read: if false;", count: 100)
    try guarded.replace("match /c/{id} { \(statements) allow read: if id == resource.data.x; }")
    await #expect(throws: StatusError.self) { try await guarded.batchGet(as: ana, "c/a") }
    guard case .denied(let reasons)? = log.requests.first?.decisions.first?.decision else {
      Issue.record("not denied")
      return
    }
    #expect(reasons.count == 21)
    #expect(reasons[0].hasPrefix("Property x is undefined"))
    #expect(reasons[20] == "and 81 more")
    let request = try #require(log.requests.first)
    #expect(request.explanation(of: request.decisions[0]) != nil)
  }

  @Test func `documents are told apart by the bytes of their names`() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try guarded.set("gates/\(composed)", ["name": "composed"])
    try guarded.set("gates/\(decomposed)", ["name": "decomposed"])
    try guarded.replace(
      """
      match /c/{id} {
        function name(id) { return get(/databases/$(db)/documents/gates/$(id)).data.name; }
        allow read: if name('\(composed)') == 'composed' && name('\(decomposed)') == 'decomposed';
      }
      """
    )
    _ = try await guarded.batchGet(as: ana, "c/a")
    let request = try #require(log.requests.first)
    let explanation = try #require(request.explanation(of: request.decisions[0]))
    #expect(explanation.decision == .allowed)
    #expect(explanation.rows.allSatisfy { $0.values != ["false"] })
  }

  // MARK: Replays

  @Test func `a read in a transaction is replayed as one`() async throws {
    try guarded.replace("match /c/{id} { allow read: if request.inTransaction; }")
    let transaction = try guarded.begin(as: ana)
    _ = try await guarded.batchGet(as: ana, transaction: transaction, "c/a")
    let request = try #require(log.requests.first)
    #expect(try guarded.service.replay(request, ana).denial == nil)
  }

  @Test func `a replay isn't counted in the coverage`() async throws {
    _ = try await guarded.batchGet(as: ana, "c/a")
    let request = try #require(log.requests.first)
    let before = guarded.rules.coverage(of: "p").coverage?.counts.map(\.evaluations)
    _ = try guarded.service.replay(request, ana)
    #expect(guarded.rules.coverage(of: "p").coverage?.counts.map(\.evaluations) == before)
    #expect(before?.contains(1) == true)
  }

  @Test func `a replay decides on the present data and changes nothing`() async throws {
    let ben = try RequestContext.user("ben")
    try guarded.commit(as: ana, .set("c/b", ["owner": "ana"]))
    await #expect(throws: StatusError.self) { try await guarded.batchGet(as: ben, "c/a") }
    let (read, write) = (log.requests[0], log.requests[1])
    let before = try guarded.firestore.get("c/b").updateTime

    #expect(try guarded.service.replay(write, ana).denial == nil)
    #expect(try guarded.service.replay(write, ben).denial == "\nfalse for 'update' @ L7")
    #expect(try guarded.service.replay(write, .nobody).denial != nil)
    #expect(try guarded.service.replay(read, ana).denial == nil)
    #expect(try guarded.service.replay(read, ben).denial != nil)
    try guarded.set("gates/ben", ["open": true])
    #expect(try guarded.service.replay(read, ben).denial == nil)
    // Replays aren't requests.
    #expect(log.requests.count == 2)
    #expect(try guarded.firestore.get("c/b").updateTime == before)

    #expect(throws: StatusError.self) { try guarded.service.replay(read, .owner) }
    guarded.rules.replace(nil)
    #expect(throws: StatusError.self) { try guarded.service.replay(read, ben) }
  }

  @Test func `queries and listeners are replayed`() async throws {
    let ben = try RequestContext.user("ben")
    try await Door.query.enter(guarded, as: ana)
    try await Door.listenQuery.enter(guarded, as: ana)
    try await Door.listenDocument.enter(guarded, as: ana)
    for request in log.requests {
      #expect(try guarded.service.replay(request, ana).denial == nil)
      #expect(try guarded.service.replay(request, ben).denial != nil)
    }
  }
}
