import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import TestKit
import Testing

/// Listeners under security rules.
struct RulesListenTests {
  private static let rules = """
    match /open/{id} { allow read; }
    match /own/{id} { allow read: if resource == null || resource.data.owner == request.auth.uid; }
    match /via/{id} { allow read: if get(/databases/$(db)/documents/gate/g).data.isOpen; }
    match /all/{id} { allow read: if !exists(/databases/$(db)/documents/banned/$(request.auth.uid)); }
    """

  private let guarded: GuardedFirestore
  private let ana: RequestContext

  init() throws {
    guarded = try GuardedFirestore(Self.rules)
    ana = try .user("ana")
    try guarded.set("own/a", ["owner": "ana"])
    try guarded.set("via/a", ["n": 1])
    try guarded.set("gate/g", ["isOpen": true])
  }

  private func listening() -> Listening { Listening(to: guarded.firestore, as: ana) }

  @Test func `a document that changes owners is gone without its new content`() async throws {
    var stream = listening()
    stream.add(1, documents: "own/a")
    #expect(try await stream.snapshot() == ["ADD 1", "+a 1", "CURRENT 1", "SNAPSHOT"])
    try guarded.set("own/a", ["owner": "ana", "n": 1])
    #expect(try await stream.snapshot() == ["+a 1", "SNAPSHOT"])
    try guarded.set("own/a", ["owner": "ben"])
    #expect(try await stream.next(1) == ["REMOVE 1 (7 \nfalse for 'get' @ L5)"])
    // Nothing more is said about the target, even if its documents become readable.
    try guarded.set("own/a", ["owner": "ana"])
    stream.add(2, documents: "open/a")
    #expect(try await stream.snapshot() == ["ADD 2", "!a 2", "CURRENT 2", "SNAPSHOT"])
    // The number is free again.
    stream.add(1, documents: "own/a")
    #expect(try await stream.snapshot() == ["ADD 1", "+a 1", "CURRENT 1", "SNAPSHOT"])
  }

  @Test func `a document that appears is decided on before it is sent`() async throws {
    var stream = listening()
    stream.add(1, documents: "own/new")
    #expect(try await stream.snapshot() == ["ADD 1", "!new 1", "CURRENT 1", "SNAPSHOT"])
    try guarded.set("own/new", ["owner": "ben"])
    #expect(try await stream.next(1) == ["REMOVE 1 (7 \nfalse for 'get' @ L5)"])
  }

  @Test func `a target ends when a document that rules have read takes the permission`()
    async throws
  {
    var stream = listening()
    stream.add(1, documents: "via/a")
    _ = try await stream.snapshot()
    stream.add(2, collection: "via")
    _ = try await stream.snapshot()
    stream.add(3, collection: "open")
    _ = try await stream.snapshot()
    // The same commit takes the permission and changes the documents.
    _ = try guarded.firestore.commit(
      .set("via/a", ["n": 2]),
      .set("gate/g", ["isOpen": false]),
      .set("open/b")
    )
    let texts = try await stream.snapshot()
    #expect(
      Set(texts.prefix(2)) == [
        "REMOVE 1 (7 \nfalse for 'get' @ L6)", "REMOVE 2 (7 \nfalse for 'list' @ L6)",
      ]
    )
    #expect(texts.dropFirst(2) == ["+b 3", "SNAPSHOT"])
    try guarded.set("via/a", ["n": 3])
    try guarded.set("open/c")
    #expect(try await stream.snapshot() == ["+c 3", "SNAPSHOT"])
  }

  @Test func `a target ends when a document that rules missed is created`() async throws {
    var stream = listening()
    stream.add(1, collection: "all")
    _ = try await stream.snapshot()
    try guarded.set("all/a")
    #expect(try await stream.snapshot() == ["+a 1", "SNAPSHOT"])
    try guarded.set("banned/ben")
    try guarded.set("banned/ana")
    #expect(try await stream.next(1) == ["REMOVE 1 (7 \nfalse for 'list' @ L7)"])
  }

  @Test func `other listeners of the same query go on`() async throws {
    var (first, second) = (listening(), Listening(to: guarded.firestore, as: try .user("ben")))
    var owners = Listening(to: guarded.firestore)
    first.add(1, collection: "all")
    second.add(1, collection: "all")
    owners.add(1, collection: "all")
    _ = try await first.snapshot()
    _ = try await second.snapshot()
    _ = try await owners.snapshot()
    _ = try guarded.firestore.commit(.set("banned/ana"), .set("all/a"))
    #expect(try await first.next(1) == ["REMOVE 1 (7 \nfalse for 'list' @ L7)"])
    #expect(try await second.snapshot() == ["+a 1", "SNAPSHOT"])
    #expect(try await owners.snapshot() == ["+a 1", "SNAPSHOT"])
    // The listener's other targets share its stream, not its loss.
    first.add(2, collection: "open")
    #expect(try await first.snapshot() == ["ADD 2", "CURRENT 2", "SNAPSHOT"])
  }

  @Test func `what leaves a query is removed by name only`() async throws {
    var (stream, owners) = (listening(), Listening(to: guarded.firestore))
    for number in [0, 1] {
      let query: (inout ProtoStructuredQuery) -> Void = {
        $0.where.fieldFilter.field.fieldPath = "owner"
        $0.where.fieldFilter.op = .equal
        $0.where.fieldFilter.value.stringValue = "ana"
      }
      if number == 0 {
        stream.add(1, collection: "own", query: query)
      } else {
        owners.add(1, collection: "own", query: query)
      }
    }
    #expect(try await stream.snapshot() == ["ADD 1", "+a 1", "CURRENT 1", "SNAPSHOT"])
    let token = try await owners.token()
    try guarded.set("own/a", ["owner": "ben", "secret": "s"])
    #expect(try await stream.snapshot() == ["<a 1", "SNAPSHOT"])
    #expect(try await owners.snapshot() == ["-a 1", "SNAPSHOT"])
    // A listener that resumes doesn't get the new content either.
    var resumed = listening()
    resumed.add(
      1,
      collection: "own",
      query: {
        $0.where.fieldFilter.field.fieldPath = "owner"
        $0.where.fieldFilter.op = .equal
        $0.where.fieldFilter.value.stringValue = "ana"
      },
      with: { $0.resumeToken = token }
    )
    #expect(try await resumed.snapshot() == ["ADD 1", "<a 1", "CURRENT 1", "SNAPSHOT"])
  }

  // MARK: Replaced rules

  @Test func `replaced rules apply to listeners at once`() async throws {
    var (stream, owners) = (listening(), Listening(to: guarded.firestore))
    stream.add(1, documents: "open/a")
    owners.add(1, documents: "open/a")
    _ = try await stream.snapshot()
    _ = try await owners.snapshot()
    try guarded.replace("match /open/{id} { allow read: if request.auth.uid == 'ana'; }")
    try guarded.set("open/a", ["n": 1])
    #expect(try await stream.snapshot() == ["+a 1", "SNAPSHOT"])
    #expect(try await owners.snapshot() == ["+a 1", "SNAPSHOT"])
    try guarded.replace("match /open/{id} { allow read: if request.auth.uid == 'ben'; }")
    #expect(try await stream.next(1) == ["REMOVE 1 (7 \nfalse for 'get' @ L4)"])
    try guarded.set("open/a", ["n": 2])
    #expect(try await owners.snapshot() == ["+a 1", "SNAPSHOT"])
  }

  @Test func `the first rules apply to listeners of open data`() async throws {
    let open = try GuardedFirestore()
    var stream = Listening(to: open.firestore, as: .nobody)
    stream.add(1, collection: "c")
    _ = try await stream.snapshot()
    try open.replace("match /other/{id} { allow read; }")
    #expect(try await stream.next(1) == ["REMOVE 1 (7 No matching allow statements)"])
    open.rules.replace(nil)
    stream.add(1, collection: "c")
    #expect(try await stream.snapshot() == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
  }

  @Test func `only a project's own listeners are concerned by its rules`() async throws {
    var stream = listening()
    stream.add(1, documents: "open/a")
    _ = try await stream.snapshot()
    try guarded.replace("match /a/{id} { allow read; }", of: "q")
    try guarded.set("open/a")
    #expect(try await stream.snapshot() == ["+a 1", "SNAPSHOT"])
  }

  // MARK: Times

  @Test func `clearing the data is decided on too`() async throws {
    var stream = listening()
    stream.add(1, collection: "via")
    _ = try await stream.snapshot()
    stream.add(2, documents: "open/a")
    _ = try await stream.snapshot()
    _ = try guarded.service.clearData(.with { $0.database = Firestore.database }, ana).now
    let texts = try await stream.next(4)
    #expect(texts.first?.hasPrefix("REMOVE 1 (7 \nService call error. Function: [get]") == true)
    #expect(texts.dropFirst() == ["RESET 2", "CURRENT 2", "SNAPSHOT"])
  }

  @Test func `a large result ends when the permission does`() async throws {
    for number in 0..<300 { try guarded.set("via/\(number)") }
    var stream = listening()
    stream.add(1, collection: "via")
    #expect(try await stream.next(2) == ["ADD 1", "+0 1"])
    try guarded.set("gate/g", ["isOpen": false])
    var texts: [String] = []
    while let text = try await stream.next()?.text {
      texts.append(text)
      if text.hasPrefix("REMOVE") { break }
    }
    // The piece that was already read is sent, and no other.
    #expect(texts.count <= 100)
    #expect(texts.last == "REMOVE 1 (7 \nfalse for 'list' @ L6)")
  }

  @Test func `a client's removal and the loss of a target are one removal`() async throws {
    var stream = listening()
    stream.add(1, collection: "via")
    _ = try await stream.snapshot()
    try guarded.set("gate/g", ["isOpen": false])
    stream.send { $0.removeTarget = 1 }
    stream.add(1, collection: "open")
    #expect(
      try await stream.snapshot() == ["REMOVE 1", "ADD 1", "CURRENT 1", "SNAPSHOT"]
    )
  }

  @Test func `a thousand listeners are decided on anew`() async throws {
    var streams: [Listening] = []
    for number in 0..<1_000 {
      let stream = Listening(to: guarded.firestore, as: try .user("u\(number)"))
      stream.add(1, collection: "all")
      streams.append(stream)
    }
    try guarded.set("banned/u7")
    try guarded.replace(Self.rules + "\nmatch /more/{id} { allow read; }")
    try guarded.set("all/a")
    for number in streams.indices {
      guard number != 7 else {
        // The target is lost before its result is read, so the result isn't sent.
        let texts = try await streams[number].next(2)
        #expect(texts == ["ADD 1", "REMOVE 1 (7 \nfalse for 'list' @ L7)"])
        continue
      }
      #expect(try await streams[number].next(4) == ["ADD 1", "CURRENT 1", "SNAPSHOT", "+a 1"])
    }
  }
}
