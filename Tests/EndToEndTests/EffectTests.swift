import Core
import FirestoreModel
import FunctionHost
import Synchronization
import TestKit
import Testing

/// Effects that must happen exactly once even if several processes attempt them at the same time.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct EffectTests {
  private static let racers = 8

  /// A conversation in a new project, and the environment of its functions.
  private struct Scene {
    let emulator: EmulatorProcess
    let project = "demo-\(UUID().uuidString.lowercased())"
    var environment: [String: String]

    init(_ changes: [String: String] = [:]) throws {
      emulator = try sharedEmulator()
      environment = try emulator.environment(project: project).merging(changes) { $1 }
    }

    static func path(_ id: String) -> String { "conversations/c/messages/\(id)" }

    /// Writes messages, their conversation, and the profiles and devices of its members.
    ///
    /// - Parameter readers: the languages of the other members by user ID. Sarah sends the
    ///   messages.
    func write(
      messages: [String],
      text: String = "Thank you so much!",
      readers: [String: String] = ["marco": "it"],
      devices: Int = 0
    ) async throws {
      var documents: JSONObject = [
        "users/sarah": try json(#"{"displayName":"Sarah","primaryLanguage":"en"}"#),
        "conversations/c": .object([
          "type": .string("group"), "name": .string("Trip"),
          "participants": .array((["sarah"] + readers.keys.sorted()).map(JSONValue.string)),
        ]),
      ]
      for (uid, language) in readers {
        documents["users/\(uid)"] = .object(["primaryLanguage": .string(language)])
        for device in 0..<devices {
          documents["users/\(uid)/devices/d\(device)"] = .object([
            "fcmToken": .string("\(uid)-\(device)")
          ])
        }
      }
      for id in messages {
        documents[Self.path(id)] = try json(
          #"{"senderId":"sarah","text":"\#(text)","language":"en","readBy":[],"#
            + #""timestamp":{"timestampValue":"2025-10-21T10:00:00Z"}}"#
        )
      }
      try await emulator.write(.object(documents), project: project)
    }

    func event(_ id: String) async throws -> String {
      try await runProgram(
        "emulator",
        ["generate-event", "created", Self.path(id), "--project", project]
      ).text.trimmingLineFeed
    }

    func fields(_ path: String) async throws -> JSONValue? {
      try await emulator.fields(of: path, project: project)
    }

    /// Returns the fields of the only cached translation.
    func translation() async throws -> JSONValue {
      let entries = try await emulator.collection("translations", project: project)
      #expect(entries.count == 1)
      return try #require(entries.first?["fields"]).plainFields
    }

    func leases() async throws -> [JSONValue] {
      try await emulator.collection("leases", project: project)
    }

    /// Returns the number of pushes by phone.
    func rings() async throws -> [String: Int] {
      try await emulator.pushes(project: project).reduce(into: [:]) {
        $0[$1["token"]?.string ?? "", default: 0] += 1
      }
    }

    /// Sets the expiry of every lease to a time in the past.
    func endLeases() async throws {
      let leases = try await leases()
      #expect(!leases.isEmpty)
      for lease in leases {
        let id = lease["name"]?.string?.split(separator: "/").last ?? ""
        let end = #"{"timestampValue":"2020-01-01T00:00:00Z"}"#
        try await emulator.write(
          #"{"leases/\#(id)":{"holder":"x","expiresAt":\#(end)}}"#,
          project: project
        )
      }
    }

    /// Starts a worker and sends it an event. Doesn't wait for the result.
    func start(
      _ function: String,
      on event: String,
      secondsLeft: Int = 30
    ) async throws -> WorkerSession {
      let worker = try await WorkerSession(function, environment: environment)
      let deadline = Timestamp.now.advanced(by: .seconds(secondsLeft))
      try await worker.send(
        #"{"event":\#(event),"invocation":{"id":"i","deadline":"\#(deadline)"}}"#
      )
      return worker
    }

    /// Starts one worker for each event, sends all events at the same time, and returns the
    /// results.
    func race(_ deliveries: [(function: String, event: String)]) async throws -> [JSONValue] {
      let environment = environment
      let workers = try await withThrowingTaskGroup(of: (Int, WorkerSession).self) { group in
        for (index, delivery) in deliveries.enumerated() {
          group.addTask {
            (index, try await WorkerSession(delivery.function, environment: environment))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      return try await withThrowingTaskGroup(of: JSONValue.self) { group in
        for (index, delivery) in deliveries.enumerated() {
          let worker = try #require(workers[index])
          group.addTask {
            try await worker.send(delivery.event)
            let result = try #require(try await worker.nextResult())
            #expect(await worker.end() == .exited(0))
            return result
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
  }

  /// A translation provider that counts its requests.
  private final class Provider: Sendable {
    let server: LoopbackServer

    /// - Parameter hanging: the number of requests, counted from the first, that get no answer.
    init(hanging: Int = 0) throws {
      let left = Mutex(hanging)
      server = try LoopbackServer { request, connection in
        let hangs = left.withLock { left in
          left -= 1
          return left >= 0
        }
        if hangs { return connection.stall() }
        return connection.answerTranslations(to: request)
      }
    }

    var environment: [String: String] {
      ["TRANSLATION_BASE_URL": "http://127.0.0.1:\(server.port)"]
    }
    var calls: Int { server.requests.count }
  }

  private func statuses(_ results: [JSONValue]) -> [String] {
    results.compactMap { $0["status"]?.string }.sorted()
  }

  // MARK: Translations

  @Test func `concurrent deliveries of one message pay for the translation once and count it once`()
    async throws
  {
    let provider = try Provider()
    defer { provider.server.stop() }
    let scene = try Scene(provider.environment)
    try await scene.write(messages: ["m1"])
    let event = try await scene.event("m1")
    let results = try await scene.race(
      Array(repeating: ("translateMessage", event), count: Self.racers)
    )
    #expect(provider.calls == 1)
    #expect(
      statuses(results) == ["ok"] + Array(repeating: "skipped", count: Self.racers - 1)
    )
    #expect(try await scene.translation()["usageCount"] == .integer(1))
    #expect(
      try await scene.fields(Scene.path("m1"))?.at("translations.it")
        == .string("IT Thank you so much!")
    )
    #expect(try await scene.leases() == [])
    for result in results {
      let writes = (result["writes"]?.array ?? []).compactMap { $0["document"]?.string }
      #expect(!writes.contains { $0.hasPrefix("leases/") }, "a result doesn't list leases")
    }
  }

  @Test func `messages with the same text are paid for once and counted each`() async throws {
    let provider = try Provider()
    defer { provider.server.stop() }
    let scene = try Scene(provider.environment)
    let ids = (1...Self.racers).map { "m\($0)" }
    try await scene.write(messages: ids)
    var deliveries: [(String, String)] = []
    for id in ids { deliveries.append(("translateMessage", try await scene.event(id))) }
    // The second delivery of each event must not count the text again.
    let results = try await scene.race(deliveries) + (try await scene.race(deliveries))
    #expect(provider.calls == 1)
    #expect(
      statuses(results)
        == Array(repeating: "ok", count: Self.racers)
        + Array(repeating: "skipped", count: Self.racers)
    )
    #expect(try await scene.translation()["usageCount"] == .integer(Int64(Self.racers)))
    let hits = results.reduce(0) { $0 + ($1.at("usage.cacheHits")?.integer ?? 0) }
    let misses = results.reduce(0) { $0 + ($1.at("usage.cacheMisses")?.integer ?? 0) }
    #expect((hits, misses) == (Self.racers - 1, 1))
  }

  @Test func `translation and notification of one message pay once together`() async throws {
    let provider = try Provider()
    defer { provider.server.stop() }
    let scene = try Scene(provider.environment)
    try await scene.write(
      messages: ["m1"],
      readers: ["marco": "it", "lea": "fr", "jonas": "de"],
      devices: 1
    )
    let event = try await scene.event("m1")
    let results = try await scene.race(
      (0..<Self.racers).map {
        ($0.isMultiple(of: 2) ? "translateMessage" : "sendNotification", event)
      }
    )
    #expect(results.allSatisfy { $0["exitCode"] == .integer(0) })
    #expect(provider.calls == 3, "one request for each pair of languages")
    let entries = try await scene.emulator.collection("translations", project: scene.project)
    #expect(
      entries.map { ($0["fields"] ?? .null).plainFields["usageCount"] } == [
        .integer(1), .integer(1), .integer(1),
      ]
    )
    #expect(try await scene.rings() == ["marco-0": 1, "lea-0": 1, "jonas-0": 1])
    #expect(try await scene.leases() == [])
  }

  @Test func `a worker that waits for another's translation gives up at its deadline`() async throws
  {
    let provider = try Provider(hanging: 1)
    defer { provider.server.stop() }
    let scene = try Scene(provider.environment.merging(["LEASE_SECONDS": "60"]) { $1 })
    try await scene.write(messages: ["m1", "m2"])
    let first = try await scene.start("translateMessage", on: scene.event("m1"), secondsLeft: 90)
    await provider.server.wait(for: .requested)
    #expect(try await scene.leases().count == 1)

    // The second message has the same text as the first one.
    let second = try await scene.start("translateMessage", on: scene.event("m2"), secondsLeft: 3)
    let result = try #require(try await second.nextResult())
    #expect(result["exitCode"] == .integer(75), Comment(rawValue: result.text))
    #expect(provider.calls == 1)
    await kill(second)
    await kill(first)
  }

  @Test func `a worker killed while it translates delays others for one lease at most`()
    async throws
  {
    let provider = try Provider(hanging: 1)
    defer { provider.server.stop() }
    let scene = try Scene(provider.environment.merging(["LEASE_SECONDS": "2"]) { $1 })
    try await scene.write(messages: ["m1", "m2"])
    let first = try await scene.start("translateMessage", on: scene.event("m1"))
    await provider.server.wait(for: .requested)
    await kill(first)
    let results = try await scene.race([
      ("translateMessage", try await scene.event("m1")),
      ("translateMessage", try await scene.event("m2")),
    ])
    #expect(statuses(results) == ["ok", "ok"])
    #expect(provider.calls == 2)
    #expect(try await scene.translation()["usageCount"] == .integer(2))
    #expect(try await scene.leases() == [])
  }

  private func kill(_ worker: WorkerSession) async {
    worker.process.signal(SIGKILL)
    _ = await worker.process.exitStatus()
  }

  // MARK: Pushes

  private let crowd = Dictionary(uniqueKeysWithValues: (0..<50).map { ("reader\($0)", "en") })

  @Test func `concurrent deliveries of one message push to each phone once`() async throws {
    let scene = try Scene()
    try await scene.write(messages: ["m1"], readers: crowd, devices: 3)
    let event = try await scene.event("m1")
    let results = try await scene.race(
      Array(repeating: ("sendNotification", event), count: Self.racers)
    )
    let rings = try await scene.rings()
    #expect(rings.count == 150)
    #expect(rings.values.allSatisfy { $0 == 1 })
    #expect(
      statuses(results) == ["ok"] + Array(repeating: "skipped", count: Self.racers - 1)
    )
    #expect(try await scene.leases() == [])
  }

  /// The FCM server accepts a hundred pushes and doesn't answer the next ones.
  @Test func `a redelivery after a kill continues the pushes and repeats none`()
    async throws
  {
    let taken = Mutex<[String]>([])
    let (hanging, hangs) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { request, connection in
      let token = (try? JSONValue(parsing: request.body))?.at("message.token")?.string ?? ""
      let isTaken = taken.withLock { taken in
        if taken.count < 100 { taken.append(token) } else { return false }
        return true
      }
      if isTaken { return connection.answer(body: Data(#"{"name":"x"}"#.utf8)) }
      hangs.yield()
      return connection.stall()
    }
    defer { server.stop() }
    var scene = try Scene(["FCM_BASE_URL": server.url(""), "LEASE_SECONDS": "60"])
    try await scene.write(messages: ["m1"], readers: crowd, devices: 3)
    let event = try await scene.event("m1")
    let first = try await scene.start("sendNotification", on: event, secondsLeft: 90)
    for await _ in hanging { break }
    await kill(first)
    // The second delivery waits for the killed worker's lease until its own deadline.
    let impatient = try await scene.start("sendNotification", on: event, secondsLeft: 3)
    let result = try #require(try await impatient.nextResult())
    #expect(result["exitCode"] == .integer(75), Comment(rawValue: result.text))
    await kill(impatient)
    let ledger = try await scene.emulator.collection("functionEvents", project: scene.project)
    #expect(ledger.first?.at("fields.devices.mapValue.fields")?.object?.count == 100)

    try await scene.endLeases()
    scene.environment["FCM_BASE_URL"] = try scene.emulator.environment()["FCM_BASE_URL"]
    let results = try await scene.race([("sendNotification", event), ("sendNotification", event)])
    #expect(statuses(results) == ["ok", "skipped"])
    let rings = try await scene.rings()
    #expect(rings.count == 50)
    #expect(rings.values.allSatisfy { $0 == 1 })
    #expect(Set(rings.keys).isDisjoint(with: taken.withLock(\.self)))
    #expect(try await scene.leases() == [])
  }

  @Test func `two accounts on one phone get one push`() async throws {
    let scene = try Scene()
    try await scene.write(messages: ["m1"], readers: ["lea": "en", "marco": "en"])
    try await scene.emulator.write(
      #"{"users/lea/devices/d":{"fcmToken":"shared"},"users/marco/devices/d":{"fcmToken":"shared"}}"#,
      project: scene.project
    )
    _ = try await scene.race([("sendNotification", try await scene.event("m1"))])
    #expect(try await scene.rings() == ["shared": 1])
  }

  @Test(arguments: [19, 20, 21, 99, 100, 101])
  func `unread messages are counted up to a hundred`(count: Int) async throws {
    let scene = try Scene()
    // All messages have the same time, so their names decide the order.
    try await scene.write(messages: (1...count).map { "m\($0)" }, devices: 1)
    let results = try await scene.race([("sendNotification", try await scene.event("m1"))])
    #expect(statuses(results) == ["ok"])
    let inbox = try await scene.fields("users/marco/inbox/c")
    #expect(inbox?["unread"] == .integer(Int64(min(count, 100))))
  }

  // MARK: Analyses

  @Test func `concurrent analyses of one message ask the model once`() async throws {
    let scene = try Scene()
    try await scene.write(messages: ["m1"], text: "It's raining cats and dogs!")
    let event = try await scene.event("m1")
    let results = try await scene.race(
      Array(repeating: ("analyzeMessage", event), count: Self.racers)
    )
    #expect(results.allSatisfy { $0["exitCode"] == .integer(0) })
    #expect(
      results.reduce(0) { $0 + ($1.at("usage.providerCalls")?.integer ?? 0) } == 1
    )
    #expect(
      statuses(results) == ["ok"] + Array(repeating: "skipped", count: Self.racers - 1)
    )
    #expect(try await scene.leases() == [])
  }

  @Test func `concurrent requests for replies ask the model once`() async throws {
    let scene = try Scene()
    try await scene.write(messages: ["m1"], text: "Are you coming tomorrow?")
    let call = #"{"data":{"conversationId":"c"},"auth":{"uid":"marco"}}"#
    let results = try await scene.race(
      Array(repeating: ("smartReplies", call), count: Self.racers)
    )
    #expect(results.allSatisfy { $0["exitCode"] == .integer(0) })
    #expect(
      results.reduce(0) { $0 + ($1.at("usage.providerCalls")?.integer ?? 0) } == 1
    )
    #expect(Set(results.map { $0["result"]?.text }).count == 1)
    #expect(try await scene.leases() == [])
  }
}
