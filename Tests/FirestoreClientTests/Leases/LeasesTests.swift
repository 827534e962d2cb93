import Core
import FirestoreClient
import FirestoreModel
import HTTPClient
import Synchronization
import TestKit
import Testing

/// Leases, with a running emulator's Firestore.
@Suite(.timeLimit(.minutes(10)))
struct LeasesTests {
  /// An invocation that competes with others for a lease.
  private struct Invocation {
    let firestore: FirestoreClient
    let leases: Leases

    init(
      _ holder: String,
      host: String,
      project: String,
      duration: Duration = .seconds(600),
      timeLeft: Duration = .seconds(3_600)
    ) throws {
      firestore = FirestoreClient(
        endpoint: try .emulator(host: host, database: DatabaseName(project: project)),
        transport: .forTests(),
        deadline: .generous
      )
      leases = Leases(
        firestore: firestore,
        holder: holder,
        duration: duration,
        deadline: .now + timeLeft,
        random: { 0 }
      )
    }

    init(
      _ holder: String,
      _ emulator: EmulatorProcess,
      timeLeft: Duration = .seconds(3_600)
    ) throws {
      try self.init(
        holder,
        host: emulator.address("firestore"),
        project: emulator.project,
        timeLeft: timeLeft
      )
    }

    func name(_ key: String) throws -> DocumentName { try leases.name(key) }

    /// Reads a lease and the document `results/{key}`.
    func look(_ key: String) async throws -> Snapshot {
      try await firestore.snapshot([name(key), firestore.name("results/\(key)")])
    }

    func acquire(_ key: String, since snapshot: Snapshot) async throws -> Lease? {
      let name = try name(key)
      let result = try firestore.name("results/\(key)")
      return try await leases.acquire([name], ifUnchanged: [result], since: snapshot)?[name]
    }

    func acquire(_ key: String) async throws -> Lease? {
      try await acquire(key, since: look(key))
    }
  }

  /// Changes the time at which a lease expires, in place of waiting.
  private func end(
    _ key: String,
    at time: Timestamp,
    _ emulator: EmulatorProcess
  ) async throws {
    try await emulator.write(
      #"{"leases/\#(key)":{"holder":"a","expiresAt":{"timestampValue":"\#(time)"}}}"#
    )
  }

  @Test func `exactly one of many invocations gets the lease`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let snapshot = try await Invocation("0", emulator).look("k")
      let count = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<8 {
          group.addTask {
            try await Invocation("\(index)", emulator).acquire("k", since: snapshot) != nil
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(count == 1)
      let fields = try #require(try await emulator.fields(of: "leases/k"))
      #expect(fields.object?.keys.sorted() == ["expiresAt", "holder"])
      let other = try Invocation("other", emulator)
      let left = try #require(
        other.leases.timeLeft(of: other.name("k"), in: try await other.look("k"))
      )
      #expect(left > .seconds(500) && left < .seconds(700))
    }
  }

  @Test func `several leases are acquired together or not at all`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let (a, b) = (try Invocation("a", emulator), try Invocation("b", emulator))
      _ = try #require(try await a.acquire("k2"))
      let names = try ["k1", "k2"].map(b.name)
      // The snapshot doesn't contain the leases, as if b had read them before they existed.
      let before = Snapshot(documents: [:], clock: try await b.look("k1").clock)
      #expect(try await b.leases.acquire(names, ifUnchanged: [], since: before) == nil)
      #expect(try await emulator.fields(of: "leases/k1") == nil)
      #expect(try await b.acquire("k1") != nil)
    }
  }

  @Test func `writes with a lease are committed only if the lease is acquired`()
    async throws
  {
    try await withEmulator("--no-triggers") { emulator in
      let (a, b) = (try Invocation("a", emulator), try Invocation("b", emulator))
      let (name, note) = (try a.name("k"), try a.firestore.name("notes/n"))
      func write(_ precondition: Precondition) -> Write {
        Write(.update(Document(name: note, fields: ["n": 1])), currentDocument: precondition)
      }
      let before = try await a.look("k")
      let unmet = try await a.leases.acquire(
        [name],
        ifUnchanged: [],
        since: before,
        writing: [write(.exists(true))]
      )
      #expect(unmet == nil)
      #expect(try await emulator.fields(of: "leases/k") == nil)

      let taken = try await a.leases.acquire(
        [name],
        ifUnchanged: [],
        since: before,
        writing: [write(.exists(false))]
      )
      #expect(taken?.keys.map(\.self) == [name])
      #expect(try await emulator.fields(of: "notes/n") == (try json(#"{"n":1}"#)))
      let late = try await b.leases.acquire(
        [name],
        ifUnchanged: [],
        since: before,
        writing: [Write(.delete(note))]
      )
      #expect(late == nil)
      #expect(try await emulator.fields(of: "notes/n") != nil)
    }
  }

  @Test func `a result written since the snapshot prevents the lease`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let (a, b) = (try Invocation("a", emulator), try Invocation("b", emulator))
      let before = try await b.look("k")
      let lease = try #require(try await a.acquire("k"))
      let result = Document(name: try a.firestore.name("results/k"), fields: [:])
      try await a.firestore.commit([Write(.update(result)), lease.end])
      #expect(try await emulator.fields(of: "leases/k") == nil)
      #expect(try await b.acquire("k", since: before) == nil)
      let after = try await b.look("k")
      #expect(after[result.name] != nil)
      #expect(try await b.acquire("k", since: after) != nil)
    }
  }

  @Test func `a lease that has ended is taken over, and its old holder notices`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let (a, b) = (try Invocation("a", emulator), try Invocation("b", emulator))
      let lease = try #require(try await a.acquire("k"))
      let running = try await b.look("k")
      #expect(b.leases.timeLeft(of: lease.name, in: running) != nil)

      try await end("k", at: running.readTime, emulator)
      let ended = try await b.look("k")
      #expect(b.leases.timeLeft(of: lease.name, in: ended) == nil)
      let next = try #require(try await b.acquire("k", since: ended))
      #expect(try await emulator.fields(of: "leases/k")?["holder"] == .string("b"))

      // A third invocation with the same snapshot is too late. The first one has lost the lease.
      #expect(try await Invocation("c", emulator).acquire("k", since: ended) == nil)
      let note = Document(name: try a.firestore.name("results/note"), fields: [:])
      #expect(try await a.leases.commit([Write(.update(note))], extending: lease) == nil)
      #expect(try await emulator.fields(of: "results/note") == nil)
      await a.leases.release([lease])
      #expect(try await emulator.fields(of: "leases/k")?["holder"] == .string("b"))
      await b.leases.release([next])
      #expect(try await emulator.fields(of: "leases/k") == nil)
    }
  }

  @Test func `a lease is extended by the same commit as its holder's writes`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let a = try Invocation("a", emulator)
      var lease = try #require(try await a.acquire("k"))
      var ends = [try await emulator.fields(of: "leases/k")?["expiresAt"]?.string ?? ""]
      for part in ["p1", "p2"] {
        let note = Document(name: try a.firestore.name("results/\(part)"), fields: [:])
        lease = try #require(
          try await a.leases.commit([Write(.update(note))], extending: lease)
        )
        #expect(try await emulator.fields(of: "results/\(part)") != nil)
        ends.append(try await emulator.fields(of: "leases/k")?["expiresAt"]?.string ?? "")
      }
      #expect(Set(ends).count == 3, "each commit changes the lease's expiry")
      await a.leases.release([lease])
      #expect(try await emulator.fields(of: "leases/k") == nil)
    }
  }

  @Test func `an invocation that lost the answer to its commit still has the lease`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let a = try Invocation("a", emulator)
      _ = try #require(try await a.acquire("k"))
      let snapshot = try await a.look("k")
      #expect(try a.leases.timeLeft(of: a.name("k"), in: snapshot) == nil)
      let lease = try #require(try await a.acquire("k", since: snapshot))
      await a.leases.release([lease])
      #expect(try await emulator.fields(of: "leases/k") == nil)
    }
  }

  @Test func `no lease outlasts its invocation`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let a = try Invocation("a", emulator, timeLeft: .seconds(30))
      let lease = try #require(try await a.acquire("k"))
      #expect(lease.deadline < .now + .seconds(30))
      let b = try Invocation("b", emulator)
      let left = try #require(
        b.leases.timeLeft(of: lease.name, in: try await b.look("k"))
      )
      #expect(left < .seconds(60))
    }
  }

  // MARK: Clocks

  @Test func `a lease ends by Firestore's clock and not by ours`() async throws {
    let root = "projects/p/databases/(default)/documents"
    let lease = { (end: String) in
      """
      [{"found":{"name":"\(root)/leases/k","updateTime":"2001-01-01T00:00:00Z","fields":\
      {"holder":{"stringValue":"b"},"expiresAt":{"timestampValue":"\(end)"}}},\
      "readTime":"2001-01-01T00:00:20Z"},{"missing":"\(root)/results/k"}]
      """
    }
    let server = try LoopbackServer(answers: [
      .init(200, lease("2001-01-01T00:00:27Z")), .init(200, lease("2001-01-01T00:00:20Z")),
      .init(
        200,
        #"{"writeResults":[{"updateTime":"2001-01-01T00:00:21Z"}],"commitTime":"2001-01-01T00:00:21Z"}"#
      ),
    ])
    defer { server.stop() }
    let a = try Invocation(
      "a",
      host: "127.0.0.1:\(server.port)",
      project: "p",
      duration: .seconds(3_000)
    )
    let running = try await a.look("k")
    #expect(a.leases.timeLeft(of: try a.name("k"), in: running) == .seconds(7))
    let ended = try await a.look("k")
    #expect(try await a.acquire("k", since: ended) != nil)
    let body = String(decoding: try #require(server.requests.last?.body), as: UTF8.self)
    // The time is fifty minutes after Firestore's time, not the client's, plus the request's
    // duration.
    #expect(body.contains(#""timestampValue":"2001-01-01T00:5"#))
    #expect(body.contains(#""updateTime":"2001-01-01T00:00:00Z""#))
    #expect(body.contains(#""verify":"\#(root)/results/k""#))
  }

  @Test func `a waiting invocation polls less and less often, until its deadline`() async throws {
    let a = try Invocation("a", host: "127.0.0.1:1", project: "p")
    var expired = a.leases.polling(until: .now)
    #expect(await !expired.pause())
    var polling = a.leases.polling(until: .now + .milliseconds(200))
    var count = 0
    while await polling.pause() { count += 1 }
    #expect(count <= 10)
    var patient = a.leases.polling(until: .generous)
    #expect(await patient.pause())
  }
}
