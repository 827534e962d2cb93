import Core
import Dispatch
import FirestoreModel
import FunctionHost
import Synchronization
import TestKit
import Testing

/// Changes of a message and its readers while its push waits for a translation.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct WaitingPushTests {
  private typealias Scene = NotificationScene

  /// A translation provider that answers one text only after `answer()`, and all other texts at
  /// once.
  private final class Provider: Sendable {
    let server: LoopbackServer
    private let gate: DispatchSemaphore

    init(slowWith slow: String) throws {
      let gate = DispatchSemaphore(value: 0)
      self.gate = gate
      server = try LoopbackServer { request, connection in
        let texts = (try? JSONValue(parsing: request.body))?["q"]?.array ?? []
        if texts.contains(.string(slow)) { gate.wait() }
        return connection.answer(translating: texts)
      }
    }

    func answer() { gate.signal() }

    func stop() {
      gate.signal()
      server.stop()
    }
  }

  private static let conversation = Scene.conversation
  private static let slow = "Thank you so much!"
  private static let message = Scene.message(slow, minute: 1)

  private struct Outcome {
    var result: JSONValue
    /// The texts of the pushes by phone.
    var bodies: [String: String]
    var told: [Scene.Push]
    var calls: Int
  }

  /// Notifies Marco, who reads Italian, and Lea of a message.
  ///
  /// - Parameter meanwhile: runs while the push waits for its translation. By then the function has
  ///   read all documents and counted the message.
  private func notify(
    before: @Sendable (Scene) async throws -> Void = { _ in },
    meanwhile: @Sendable (Scene) async throws -> Void
  ) async throws -> Outcome {
    let provider = try Provider(slowWith: Self.slow)
    defer { provider.stop() }
    let scene = try Scene([
      "TRANSLATION_BASE_URL": "http://127.0.0.1:\(provider.server.port)"
    ])
    try await scene.writePeople(["sarah", "marco", "lea"])
    try await scene.write(#"{"users/marco":{"primaryLanguage":"it"}}"#)
    try await before(scene)
    let unread = try await scene.unread("marco") ?? 0
    let calls = provider.server.requests.count
    try await scene.write(["m": Self.message])
    let event = scene.created("m", Self.message)

    async let delivery = scene.deliver([event])
    while try await scene.unread("marco") != unread + 1 || provider.server.requests.count == calls {
      try await Task.sleep(for: .milliseconds(10))
    }
    try await meanwhile(scene)
    provider.answer()
    let result = try #require(try await delivery.first)
    #expect(result["exitCode"] == .integer(0), Comment(rawValue: result.text))
    #expect(try await scene.emulator.collection("leases", project: scene.project) == [])

    let pushes = try await scene.emulator.pushes(project: scene.project).filter {
      $0.at("message.data.messageId") == .string("m")
    }
    let outcome = Outcome(
      result: result,
      bodies: pushes.reduce(into: [:]) {
        $0[$1["token"]?.string ?? ""] = $1.at("message.notification.body")?.string
      },
      told: try await scene.told(),
      calls: provider.server.requests.count - calls
    )
    #expect(try await scene.deliver([event]).statuses == ["skipped"])
    return outcome
  }

  private func reason(_ uid: String, in outcome: Outcome) -> String? {
    outcome.result.at("result.recipients")?.array?.first { $0["uid"] == .string(uid) }?["reason"]?
      .string
  }

  @Test func `without changes the push has the translation that it waited for`() async throws {
    let outcome = try await notify { _ in }
    #expect(
      outcome.bodies == ["marco-0": "sarah: IT \(Self.slow)", "lea-0": "sarah: \(Self.slow)"]
    )
    #expect(outcome.calls == 1)
  }

  @Test func `a deleted message is not pushed`() async throws {
    let outcome = try await notify { try await $0.delete(Scene.path("m")) }
    #expect(outcome.result["reason"] == .string("the message no longer exists"))
    #expect(outcome.bodies == [:])
  }

  @Test func `an edited text is pushed as it is now, without another wait for the provider`()
    async throws
  {
    let outcome = try await notify {
      try await $0.write(["m": Self.message.with(["text": .string("Nothing at all")])])
    }
    #expect(
      outcome.bodies == ["marco-0": "sarah: Nothing at all", "lea-0": "sarah: Nothing at all"]
    )
    #expect(reason("marco", in: outcome) == "the text changed while waiting for its translation")
    #expect(outcome.calls == 1)
  }

  @Test func `an edit to a text in the cache is pushed translated`() async throws {
    let other = Scene.message("See you tomorrow", minute: 0)
    let outcome = try await notify(
      before: { scene in
        try await scene.write(["n": other])
        try await scene.deliver([scene.created("n", other)])
      },
      meanwhile: {
        try await $0.write(["m": Self.message.with(["text": .string("See you tomorrow")])])
      }
    )
    #expect(outcome.bodies["marco-0"] == "sarah: IT See you tomorrow")
    #expect(outcome.calls == 1)
  }

  @Test func `a message that loses its text is not pushed`() async throws {
    let outcome = try await notify {
      try await $0.write(["m": Self.message.with(["text": .string("")])])
    }
    #expect(outcome.result["status"] == .string("skipped"))
    #expect(outcome.bodies == [:])
  }

  @Test func `a reader who has read the message meanwhile gets no push`() async throws {
    let outcome = try await notify { try await $0.write(["m": Self.message.read(by: ["marco"])]) }
    #expect(reason("marco", in: outcome) == "read already")
    #expect(outcome.bodies.keys.sorted() == ["lea-0"])
  }

  @Test func `a removed member gets no push`() async throws {
    let outcome = try await notify {
      try await $0.write(
        #"{"\#(Self.conversation)":{"type":"group","participants":["sarah","lea"]}}"#
      )
    }
    #expect(outcome.bodies.keys.sorted() == ["lea-0"])
  }

  @Test func `a removed sender's message is not pushed`() async throws {
    let outcome = try await notify {
      try await $0.write(#"{"\#(Self.conversation)":{"participants":["marco","lea"]}}"#)
    }
    #expect(reason("marco", in: outcome) == "the sender is no longer a member")
    #expect(outcome.bodies == [:])
  }

  @Test func `a member added meanwhile gets no push of an earlier message`() async throws {
    let outcome = try await notify {
      try await $0.write(
        """
        {"\(Self.conversation)": {"participants": ["sarah", "marco", "lea", "ana"]},
         "users/ana": {"primaryLanguage": "en", "fcmToken": "ana-0"}}
        """
      )
    }
    #expect(outcome.bodies.keys.sorted() == ["lea-0", "marco-0"])
  }

  @Test func `a member who mutes the conversation gets only the current badge`() async throws {
    let outcome = try await notify {
      try await $0.write(
        """
        {"\(Self.conversation)": {"participants": ["sarah", "marco", "lea"],
          "settings": {"muted": ["marco"]}},
         "users/marco/inbox/other": {"unread": 4}}
        """
      )
    }
    #expect(reason("marco", in: outcome) == "muted")
    #expect(outcome.bodies.keys.sorted() == ["lea-0"])
    #expect(outcome.told == [.init(token: "marco-0", isSilent: true, badge: 5)])
  }

  // MARK: Another delivery

  @Test func `a delivery that waited for a killed one pushes the text as it is by then`()
    async throws
  {
    let left = Mutex(1)
    let phones = try LoopbackServer { _, connection in
      let hangs = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return hangs ? connection.stall() : connection.answer(body: Data(#"{"name":"x"}"#.utf8))
    }
    defer { phones.stop() }
    let door = try LoopbackServer.forwarding(to: try sharedEmulator().address("firestore"))
    defer { door.stop() }
    let scene = try Scene([
      "FCM_BASE_URL": phones.url(""), "FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(door.port)",
      "LEASE_SECONDS": "60",
    ])
    try await scene.writePeople(["sarah", "marco"])
    try await scene.write(["m": Self.message])
    let event = scene.created("m", Self.message)
    let killed = try await WorkerSession("sendNotification", environment: scene.environment)
    try await killed.send(event)
    await phones.wait(for: .requested)
    killed.process.signal(SIGKILL)
    _ = await killed.process.exitStatus()

    async let delivery = scene.deliver([event])
    // A read of the lease shows that the function has begun to wait for it.
    let lease = Data("/leases/".utf8)
    while !door.requests.contains(where: {
      $0.target.hasSuffix(":batchGet") && $0.body.firstRange(of: lease) != nil
    }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    try await scene.write(["m": Self.message.with(["text": .string("Second")])])
    let leases = try await scene.emulator.collection("leases", project: scene.project)
    let id = leases.first?["name"]?.string?.split(separator: "/").last ?? ""
    try await scene.write(
      #"{"leases/\#(id)":{"holder":"x","expiresAt":{"timestampValue":"2020-01-01T00:00:00Z"}}}"#
    )
    #expect(try await delivery.statuses == ["ok"])
    let bodies = phones.requests.dropFirst().map {
      (try? JSONValue(parsing: $0.body))?.at("message.notification.body")
    }
    #expect(bodies == [.string("sarah: Second")])
  }
}
