import Core
import Dispatch
import FunctionHost
import HTTPClient
import Synchronization
import TestKit
import Testing

/// The number of requests that a worker sends to Firestore for one event.
///
/// The tests also check that a worker ignores remembered documents that have changed.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct RoundTripTests {
  /// A conversation in a new project, and workers whose requests to Firestore are recorded.
  private struct Scene {
    let emulator: EmulatorProcess
    let project = "demo-\(UUID().uuidString.lowercased())"
    let door: LoopbackServer

    init() throws {
      let emulator = try sharedEmulator()
      self.emulator = emulator
      door = try .forwarding(to: emulator.address("firestore"))
    }

    func worker(_ function: String) async throws -> WorkerSession {
      let environment = try emulator.environment(project: project)
        .merging(["FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(door.port)"]) { $1 }
      return try await WorkerSession(function, environment: environment)
    }

    func write(_ documents: String) async throws {
      try await emulator.write(documents, project: project)
    }

    /// Writes a message, and sends its event to a worker.
    ///
    /// - Returns: the Firestore methods that the worker called, in order.
    func send(_ id: String, _ text: String, to worker: WorkerSession) async throws -> [String] {
      try await write(
        #"{"conversations/c/messages/\#(id)":{"senderId":"sarah","text":"\#(text)","#
          + #""language":"en","readBy":[],"timestamp":{"timestampValue":"2025-10-21T10:00:00Z"}}}"#
      )
      let event = try await runProgram(
        "emulator",
        [
          "generate-event", "created", "conversations/c/messages/\(id)", "--text", text,
          "--project", project,
        ]
      ).text.trimmingLineFeed
      let before = door.requests.count
      try await worker.send(event)
      let result = try #require(try await worker.nextResult())
      #expect(result["status"] == .string("ok"), Comment(rawValue: result.text))
      return door.methods(since: before)
    }

    func translations(of id: String) async throws -> JSONValue? {
      try await emulator.fields(of: "conversations/c/messages/\(id)", project: project)?[
        "translations"
      ]
    }

    func rung() async throws -> [String] {
      try await emulator.pushes(project: project).compactMap { $0["token"]?.string }.sorted()
    }
  }

  private static let people = """
    {
      "users/sarah": {"primaryLanguage": "en"},
      "users/marco": {"primaryLanguage": "it"},
      "users/lea": {"primaryLanguage": "fr"},
      "users/marco/devices/d": {"fcmToken": "marco-phone"},
      "users/lea/devices/d": {"fcmToken": "lea-phone"},
      "conversations/c": {"type": "group", "participants": ["sarah", "marco"]}
    }
    """

  @Test func `a translation in the cache takes one read and one commit`() async throws {
    let scene = try Scene()
    defer { scene.door.stop() }
    try await scene.write(Self.people)
    let worker = try await scene.worker("translateMessage")
    let first = try await scene.send("m1", "Thank you so much!", to: worker)
    // For the first message, the worker requests the translation and counts the request against a
    // limit.
    #expect(first == ["batchGet", "batchGet", "batchGet", "commit", "commit", "commit"])
    let second = try await scene.send("m2", "Thank you so much!", to: worker)
    #expect(second == ["batchGet", "commit"])

    // The worker's remembered profiles and members are out of date: Marco reads French now, and
    // Ana, who reads Spanish, has joined.
    try await scene.write(
      #"{"users/marco":{"primaryLanguage":"fr"},"users/ana":{"primaryLanguage":"es"},"#
        + #""conversations/c":{"type":"group","participants":["sarah","marco","ana"]}}"#
    )
    let third = try await scene.send("m3", "Thank you so much!", to: worker)
    #expect(third.count(where: { $0 == "batchGet" }) == 3)
    let languages = try await scene.translations(of: "m3")?.object?.keys.sorted()
    #expect(languages == ["es", "fr"])
    #expect(await worker.end() == .exited(0))
  }

  @Test func `a notification takes one read, three queries and two commits`() async throws {
    let scene = try Scene()
    defer { scene.door.stop() }
    try await scene.write(Self.people)
    let worker = try await scene.worker("sendNotification")
    let first = try await scene.send("m1", "Thank you so much!", to: worker)
    // After the wait for a translation, the worker reads the recipients and the text again.
    #expect(first.count(where: { $0 == "batchGet" }) == 4)
    let second = try await scene.send("m2", "Thank you so much!", to: worker)
    #expect(second == ["batchGet", "runQuery", "runQuery", "runQuery", "commit", "commit"])
    #expect(try await scene.rung() == ["marco-phone", "marco-phone"])

    // Lea has replaced Marco, so the members that the worker remembers are out of date.
    try await scene.write(#"{"conversations/c":{"type":"group","participants":["sarah","lea"]}}"#)
    _ = try await scene.send("m3", "Thank you so much!", to: worker)
    #expect(try await scene.rung() == ["lea-phone", "marco-phone", "marco-phone"])
    #expect(await worker.end() == .exited(0))
  }
}

/// The number of requests for changes of a message or its conversation, and for a thousand members.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ChangeRoundTripTests {
  private typealias Scene = NotificationScene

  /// Returns a scene and a server that records its requests to Firestore.
  private func scene() throws -> (Scene, LoopbackServer) {
    let door = try LoopbackServer.forwarding(to: try sharedEmulator().address("firestore"))
    let environment = [
      "FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(door.port)", "LEASE_SECONDS": "60",
    ]
    return (try Scene(environment), door)
  }

  /// Delivers an event, checks the result's status, and returns the Firestore methods that were
  /// called.
  private func methods(
    _ event: String,
    _ status: String,
    _ worker: WorkerSession,
    _ door: LoopbackServer
  ) async throws -> [String] {
    let before = door.requests.count
    try await worker.send(event)
    let result = try #require(try await worker.nextResult())
    #expect(result["status"] == .string(status), Comment(rawValue: result.text))
    return door.methods(since: before)
  }

  @Test func `a receipt takes a read and a query, and the first of a batch five more`()
    async throws
  {
    let (scene, door) = try scene()
    defer { door.stop() }
    try await scene.writePeople(["sarah", "marco"])
    let messages = (0..<3).map { ("m\($0)", Scene.message(minute: $0)) }
    try await scene.write(Dictionary(uniqueKeysWithValues: messages))
    let worker = try await WorkerSession("sendNotification", environment: scene.environment)
    func methods(_ event: String, _ status: String) async throws -> [String] {
      try await self.methods(event, status, worker, door)
    }
    for (id, fields) in messages { _ = try await methods(scene.created(id, fields), "ok") }

    let read = messages.map { ($0, $1, $1.read(by: ["marco"])) }
    try await scene.write(Dictionary(uniqueKeysWithValues: read.map { ($0.0, $0.2) }))
    let receipts = read.map { scene.updated($0, from: $1, to: $2) }
    #expect(
      try await methods(receipts[0], "ok") == [
        "batchGet", "runQuery", "commit", "runQuery", "runQuery", "runQuery", "commit",
      ]
    )
    for receipt in receipts {
      #expect(try await methods(receipt, "skipped") == ["batchGet", "runQuery"])
    }

    let edited = read.map { ($0, $2, $2.with(["text": .string("Edited")])) }
    try await scene.write(Dictionary(uniqueKeysWithValues: edited.map { ($0.0, $0.2) }))
    let edits = edited.map { scene.updated($0, from: $1, to: $2) }
    #expect(try await methods(edits[0], "skipped") == ["batchGet"])
    #expect(try await methods(edits[2], "ok") == ["batchGet", "runQuery", "commit"])

    // Marco has read the deleted message, so his badge doesn't change.
    try await scene.delete(Scene.path("m2"))
    #expect(
      try await methods(scene.deleted("m2", edited[2].2), "ok")
        == ["batchGet", "batchGet", "runQuery", "commit"]
    )
    #expect(await worker.end() == .exited(0))
  }

  @Test
  func `a member's removal takes eight requests, and a copy of the event one`()
    async throws
  {
    let (scene, door) = try scene()
    defer { door.stop() }
    try await scene.writePeople(["sarah", "marco"])
    try await scene.write(["m": Scene.message()])
    let worker = try await WorkerSession("sendNotification", environment: scene.environment)
    func methods(_ event: String, _ status: String) async throws -> [String] {
      try await self.methods(event, status, worker, door)
    }
    // In the cloud these changes also invoke the function, because triggers can't select fields
    // there. The function skips them without reading its switch.
    let fields: JSONObject = [
      "participants": .array([.string("sarah"), .string("marco")])
    ]
    for event in [
      scene.changed(from: fields, to: fields.with(["lastMessage": .string("Hello")])),
      scene.changed(from: ["sarah", "marco"], to: ["marco", "sarah"]),
      scene.changed(from: ["sarah", "marco"], to: ["sarah", "marco", "lea"]),
    ] {
      #expect(try await methods(event, "skipped") == [])
    }
    #expect(door.requests.isEmpty)

    _ = try await methods(scene.created("m", Scene.message()), "ok")
    try await scene.writeMembers(["sarah"])
    let left = scene.changed(from: ["sarah", "marco"], to: ["sarah"])
    #expect(
      try await methods(left, "ok") == [
        "batchGet", "runQuery", "batchGet", "commit", "runQuery", "runQuery", "runQuery", "commit",
      ]
    )
    #expect(try await methods(left, "skipped") == ["batchGet"])
    #expect(await worker.end() == .exited(0))
  }

  @Test func `a deletion notifies each of 1,000 members once, with at most 500 writes a commit`()
    async throws
  {
    let (scene, door) = try scene()
    defer { door.stop() }
    let members = (0..<1_000).map { "member\($0)" }
    try await scene.writePeople(members)
    let inboxes = members.map { ("users/\($0)/inbox/c", JSONValue.object(["unread": .integer(1)])) }
    try await scene.emulator.write(
      .object(JSONObject(inboxes)),
      project: scene.project
    )
    try await scene.delete(Scene.conversation)
    let ended = scene.ended(with: members)
    // On a busy machine the first run may not finish, and the second delivery does the rest.
    let ends = try await scene.deliver([ended, ended], secondsLeft: 550).statuses
    #expect(["ok", "skipped"].contains(ends.last))
    #expect(try await scene.told().map(\.token).sorted() == members.map { "\($0)-0" }.sorted())
    #expect(try await scene.unread("member0") == nil)
    #expect(try await scene.unread("member999") == nil)
    #expect(try door.largestCommit <= 500)
  }

  @Test func `1,000 members get one push each, and no commit has more than 500 writes`()
    async throws
  {
    let (scene, door) = try scene()
    defer { door.stop() }
    let members = (0..<1_000).map { "member\($0)" }
    try await scene.writePeople(["sarah"] + members)
    try await scene.write(["m": Scene.message()])
    let created = scene.created("m", Scene.message())
    // On a busy machine the first run may not finish, and the second delivery does the rest.
    let results = try await scene.deliver([created, created], secondsLeft: 550)
    #expect(
      ["ok", "skipped"].contains(results.statuses.last),
      Comment(rawValue: "\(results.map { $0["error"]?.text ?? "" })")
    )
    #expect(try await scene.rung() == members.map { "\($0)-0" }.sorted())
    #expect(try await scene.unread("member999") == 1)

    try await scene.delete(Scene.path("m"))
    let deleted = scene.deleted("m", Scene.message())
    let ends = try await scene.deliver([deleted, deleted], secondsLeft: 550).statuses
    #expect(["ok", "skipped"].contains(ends.last))
    #expect(try await scene.told().map(\.token).sorted() == members.map { "\($0)-0" }.sorted())
    #expect(try await scene.unread("member999") == 0)

    #expect(try door.largestCommit <= 500)
  }

  @Test func `a batch of pushes is not started if it can't end in time`() async throws {
    let slowness = Atomic(true)
    let phones = try LoopbackServer.forwarding(to: try sharedEmulator().address("functions")) {
      _,
      _ in
      // After the delay, the lease expires before a second batch of pushes could end. The deadline
      // is five seconds later than the lease's end, so that a busy machine can start the function
      // in time.
      if slowness.exchange(false, ordering: .relaxed) { try await Task.sleep(for: .seconds(5.5)) }
    }
    defer { phones.stop() }
    let scene = try Scene([
      "FCM_BASE_URL": "http://127.0.0.1:\(phones.port)/providers", "LEASE_SECONDS": "29",
    ])
    let members = (0..<150).map { "member\($0)" }
    try await scene.writePeople(["sarah"] + members)
    try await scene.write(["m": Scene.message()])
    let created = scene.created("m", Scene.message())
    let first = try await scene.deliver([created], secondsLeft: 34)
    #expect(first.first?["exitCode"]?.integer == 75)
    #expect(
      first.first?.at("error.message")
        == .string("the time was up before every push was sent")
    )
    #expect(try await scene.rung().count == 100)
    #expect(try await scene.deliver([created], secondsLeft: 60).statuses == ["ok"])
    #expect(try await scene.rung() == members.map { "\($0)-0" }.sorted())
  }
}

extension LoopbackServer {
  /// Returns a server that forwards each request to another server.
  ///
  /// - Parameter pass: called with a request's path and body before the request is forwarded.
  static func forwarding(
    to host: String,
    before pass: @escaping @Sendable (String, String) async throws -> Void = { _, _ in }
  ) throws -> LoopbackServer {
    let transport = HTTPClient.forTests()
    return try LoopbackServer { request, connection in
      let forwarded = HTTPRequest(
        method: request.method,
        url: "http://\(host)\(request.target)",
        headers: request.headers.filter { $0.name.lowercased() != "content-length" },
        body: request.body
      )
      let answer = PendingAnswer()
      Task {
        do {
          try await pass(request.target, String(decoding: request.body, as: UTF8.self))
          answer.give(try await transport.send(forwarded, deadline: .generous))
        } catch {
          answer.give(nil)
        }
      }
      guard let response = answer.wait() else { return false }
      return connection.answer(status: response.status, body: response.body)
    }
  }

  /// The number of writes in the largest commit.
  fileprivate var largestCommit: Int {
    get throws {
      try requests.filter { $0.target.hasSuffix(":commit") }
        .map { try JSONValue(parsing: $0.body)["writes"]?.array?.count ?? 0 }.max() ?? 0
    }
  }

  /// Returns the Firestore methods that were called after the first `count` requests, in order.
  ///
  /// Reads of `config/functions` are left out, because they happen every twenty seconds.
  fileprivate func methods(since count: Int) -> [String] {
    requests.dropFirst(count)
      .filter { !String(decoding: $0.body, as: UTF8.self).contains("/config/functions") }
      .compactMap { $0.target.split(separator: ":").last.map(String.init) }
  }
}

/// A response that a task produces while a thread waits for it.
private final class PendingAnswer: Sendable {
  private let response = Mutex<HTTPResponse?>(nil)
  private let isGiven = DispatchSemaphore(value: 0)

  func give(_ response: HTTPResponse?) {
    self.response.withLock { $0 = response }
    isGiven.signal()
  }

  func wait() -> HTTPResponse? {
    isGiven.wait()
    return response.withLock { $0 }
  }
}
