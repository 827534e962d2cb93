import Core
import Dispatch
import FunctionHost
import Synchronization
import TestKit
import Testing

/// Unread counts and badges after members leave a conversation, or after the conversation is
/// deleted.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct MemberRemovalTests {
  private typealias Scene = NotificationScene
  private typealias Push = NotificationScene.Push
  private static let people = ["sarah", "marco", "lea"]
  private static let marcoLeft = ["sarah", "lea"]

  /// Writes a group with two messages of Sarah's, and notifies its members of both.
  private func notified(_ scene: Scene, devices: Int = 1) async throws {
    try await scene.writePeople(Self.people, devices: devices)
    let messages = (0..<2).map { ("m\($0)", Scene.message("Text \($0)", minute: $0)) }
    try await scene.write(Dictionary(uniqueKeysWithValues: messages))
    let results = try await scene.deliver(messages.map { scene.created($0, $1) })
    #expect(results.statuses == ["ok", "ok"])
    #expect(try await scene.unread("marco") == 2)
  }

  private func marcoLeaves(_ scene: Scene) async throws -> String {
    try await scene.writeMembers(Self.marcoLeft)
    return scene.changed(from: Self.people, to: Self.marcoLeft)
  }

  private func expectNoLeases(_ scene: Scene) async throws {
    #expect(try await scene.emulator.collection("leases", project: scene.project) == [])
  }

  // MARK: Leaving

  @Test func `a removed member loses one inbox, and each of their phones gets the new badge once`()
    async throws
  {
    let scene = try Scene()
    try await notified(scene, devices: 2)
    try await scene.write(#"{"users/marco/inbox/other":{"unread":3}}"#)
    let event = try await marcoLeaves(scene)
    let results = try await scene.deliver(Array(repeating: event, count: 24), workers: 8)
    #expect(results.statuses.count { $0 == "ok" } == 1)
    #expect(results.statuses.count { $0 == "skipped" } == 23)
    #expect(results.writeCount(of: "users/marco/inbox/c") == 1)
    #expect(
      try await scene.told().sorted { $0.token < $1.token } == [
        Push(token: "marco-0", isSilent: true, badge: 3),
        Push(token: "marco-1", isSilent: true, badge: 3),
      ]
    )
    #expect(try await scene.fields("users/marco/inbox/c") == nil)
    #expect(try await scene.unread("lea") == 2)
    try await expectNoLeases(scene)
  }

  @Test func `the deletion of a conversation removes every member's inbox`() async throws {
    let scene = try Scene()
    try await notified(scene)
    try await scene.delete(Scene.conversation)
    let event = scene.ended(with: Self.people)
    let results = try await scene.deliver([event, event, event], workers: 3)
    #expect(results.statuses.sorted() == ["ok", "skipped", "skipped"])
    #expect(
      try await scene.told().sorted { $0.token < $1.token } == [
        Push(token: "lea-0", isSilent: true, badge: 0),
        Push(token: "marco-0", isSilent: true, badge: 0),
      ]
    )
    // The conversation's messages, and their events, may outlive the conversation.
    let message = Scene.message("Text 1", minute: 1)
    try await scene.deliver([
      scene.created("m1", message),
      scene.updated("m1", from: message, to: message.read(by: ["marco"])),
      scene.deleted("m0", Scene.message("Text 0")),
    ])
    for uid in Self.people { #expect(try await scene.fields("users/\(uid)/inbox/c") == nil) }
    try await expectNoLeases(scene)
  }

  @Test func `two members who leave are notified once each, in any order of the events`()
    async throws
  {
    let scene = try Scene()
    try await notified(scene)
    let first = try await marcoLeaves(scene)
    try await scene.writeMembers(["sarah"])
    let second = scene.changed(from: Self.marcoLeft, to: ["sarah"])
    let results = try await scene.deliver([second, first, second, first], workers: 4)
    #expect(results.statuses.sorted() == ["ok", "ok", "skipped", "skipped"])
    #expect(try await scene.told().map(\.token).sorted() == ["lea-0", "marco-0"])
  }

  @Test func `a member without unread messages loses the inbox and gets no push`() async throws {
    let scene = try Scene()
    try await scene.writePeople(Self.people)
    try await scene.write(#"{"users/marco/inbox/c":{"unread":0,"lastMessageId":"m1"}}"#)
    let event = try await marcoLeaves(scene)
    #expect(try await scene.deliver([event, event]).statuses == ["ok", "skipped"])
    #expect(try await scene.fields("users/marco/inbox/c") == nil)
    #expect(try await scene.pushes() == [])
  }

  @Test func `a member without a phone loses the inbox`() async throws {
    let scene = try Scene()
    try await scene.writePeople(Self.people, devices: 0)
    try await scene.write(#"{"users/marco/inbox/c":{"unread":"five"}}"#)
    let results = try await scene.deliver([try await marcoLeaves(scene)])
    let report = try #require(results.first?.at("result.recipients")?.array)
    #expect(report.map { $0["reason"] } == [.string("no device")])
    #expect(try await scene.fields("users/marco/inbox/c") == nil)
    try await expectNoLeases(scene)
  }

  @Test func `a conversation that lost its list of members is refused, without a retry`()
    async throws
  {
    let scene = try Scene()
    try await notified(scene)
    try await scene.write(#"{"conversations/c":{"participants":"sarah, lea"}}"#)
    let event = scene.changed(from: Self.people, to: Self.marcoLeft)
    #expect(try await scene.deliver([event]).map { $0["exitCode"] } == [.integer(65)])
    #expect(try await scene.unread("marco") == 2)
  }

  // MARK: Races and failures

  @Test func `events that arrive after a member has left give the member nothing`() async throws {
    let scene = try Scene()
    try await notified(scene)
    let event = try await marcoLeaves(scene)
    let late = Scene.message("Text 2", minute: 2)
    try await scene.write(["m2": late])
    try await scene.delete(Scene.path("m0"))
    try await scene.deliver([
      event, scene.created("m2", late), event,
      scene.updated("m2", from: late, to: late.read(by: ["marco"])),
      scene.deleted("m0", Scene.message("Text 0")),
      scene.created("m1", Scene.message("Text 1", minute: 1)),
    ])
    #expect(try await scene.fields("users/marco/inbox/c") == nil)
    #expect(try await scene.unread("lea") == 2)
    #expect(try await scene.pushes().last { $0.token == "marco-0" }?.badge == 0)
    #expect(try await scene.rung().count { $0 == "marco-0" } == 2)
    try await expectNoLeases(scene)
  }

  @Test func `a member who has rejoined when the event arrives keeps the inbox`() async throws {
    let scene = try Scene()
    try await notified(scene)
    let event = try await marcoLeaves(scene)
    try await scene.writeMembers(Self.people)
    let results = try await scene.deliver([event])
    #expect(results.statuses == ["skipped"])
    #expect(results.first?["writes"] == .array([]))
    #expect(try await scene.unread("marco") == 2)
    // If Marco leaves and rejoins later, his inbox is counted anew with the next message.
    try await scene.writeMembers(Self.marcoLeft)
    #expect(try await scene.deliver([event]).statuses == ["ok"])
    try await scene.writeMembers(Self.people)
    let next = Scene.message("Text 2", minute: 2)
    try await scene.write(["m2": next])
    try await scene.deliver([scene.created("m2", next), event])
    #expect(try await scene.unread("marco") == 3)
    #expect(try await scene.pushes().last { $0.token == "marco-0" }?.badge == 3)
  }

  /// Returns a scene in which `meanwhile` runs once, just before the function's first commit to
  /// Marco's inbox.
  private func scene(
    meanwhile: @escaping @Sendable (Scene) async throws -> Void
  ) throws -> (plain: Scene, watched: Scene, door: LoopbackServer) {
    let plain = try Scene()
    let isDue = Mutex(true)
    let door = try LoopbackServer.forwarding(to: plain.emulator.address("firestore")) {
      target,
      body in
      guard target.hasSuffix(":commit"), body.contains("users/marco/inbox/c") else { return }
      let isFirst = isDue.withLock { isDue in
        defer { isDue = false }
        return isDue
      }
      if isFirst { try await meanwhile(plain) }
    }
    let watched = plain.with(["FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(door.port)"])
    return (plain, watched, door)
  }

  @Test func `a member who rejoins while the inbox is being removed keeps it`() async throws {
    let (plain, watched, door) = try scene { try await $0.writeMembers(Self.people) }
    defer { door.stop() }
    try await notified(plain)
    let results = try await watched.deliver([try await marcoLeaves(plain)])
    #expect(results.statuses == ["skipped"])
    #expect(try await plain.unread("marco") == 2)
    #expect(try await plain.told() == [])
    try await expectNoLeases(plain)
  }

  /// Marco has no inbox yet, so no change of an inbox shows the function that he was removed.
  @Test func `a member removed while the first message is counted gets no inbox and no push`()
    async throws
  {
    let (plain, watched, door) = try scene { scene in
      try await scene.deliver([try await marcoLeaves(scene)])
    }
    defer { door.stop() }
    try await plain.writePeople(Self.people)
    try await plain.write(["m": Scene.message()])
    let results = try await watched.deliver([watched.created("m", Scene.message())])
    #expect(results.statuses == ["ok"])
    #expect(try await plain.fields("users/marco/inbox/c") == nil)
    #expect(try await plain.unread("lea") == 1)
    #expect(try await plain.rung() == ["lea-0"])
    try await expectNoLeases(plain)
  }

  @Test func `a member removed while another message is counted doesn't get the inbox back`()
    async throws
  {
    let (plain, watched, door) = try scene { scene in
      try await scene.deliver([try await marcoLeaves(scene)])
    }
    defer { door.stop() }
    try await notified(plain)
    let next = Scene.message("Text 2", minute: 2)
    try await plain.write(["m2": next])
    #expect(try await watched.deliver([watched.created("m2", next)]).statuses == ["ok"])
    #expect(try await plain.fields("users/marco/inbox/c") == nil)
    #expect(try await plain.unread("lea") == 3)
    #expect(try await plain.rung().count { $0 == "marco-0" } == 2)
    #expect(try await plain.told() == [Push(token: "marco-0", isSilent: true, badge: 0)])
  }

  @Test func `a message whose conversation is deleted while it is counted creates no inbox`()
    async throws
  {
    let (plain, watched, door) = try scene { try await $0.delete(Scene.conversation) }
    defer { door.stop() }
    try await plain.writePeople(Self.people)
    let message = Scene.message().with(["recipientId": .string("marco")])
    try await plain.write(["m": message])
    let results = try await watched.deliver([watched.created("m", message)])
    #expect(results.map { $0["exitCode"] } == [.integer(0)])
    for uid in Self.people { #expect(try await plain.fields("users/\(uid)/inbox/c") == nil) }
    #expect(try await plain.pushes() == [])
  }

  @Test func `a function killed before its silent pushes leaves them to the redelivery`()
    async throws
  {
    let scene = try Scene()
    try await notified(scene)
    let event = try await marcoLeaves(scene)
    try await scene.deliverAndKill(event)
    #expect(try await scene.fields("users/marco/inbox/c") == nil)
    #expect(try await scene.told() == [])

    let results = try await scene.deliver([event, event], workers: 2)
    #expect(results.statuses.sorted() == ["ok", "skipped"])
    #expect(try await scene.told() == [Push(token: "marco-0", isSilent: true, badge: 0)])
    try await expectNoLeases(scene)
  }

  /// The message's push has an older badge and must reach the phone first.
  @Test func `the badge of a removed member waits for a notification that is being sent`()
    async throws
  {
    let gate = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _, connection in
      gate.wait()
      gate.signal()
      return connection.answer(body: Data(#"{"name":"projects/p/messages/1"}"#.utf8))
    }
    defer {
      gate.signal()
      server.stop()
    }
    let scene = try Scene()
    try await scene.writePeople(Self.people)
    try await scene.write(["m": Scene.message()])
    let ringing = scene.with(["FCM_BASE_URL": server.url(""), "LEASE_SECONDS": "60"])
    async let rung = ringing.deliver([scene.created("m", Scene.message())])
    await server.wait(for: .requested)
    let event = try await marcoLeaves(scene)
    let early = try await scene.deliver([event], secondsLeft: 2)
    #expect(early.map { $0.at("error.code") } == [.string("UNAVAILABLE")])
    #expect(try await scene.unread("marco") == 1)
    gate.signal()
    #expect(try await rung.statuses == ["ok"])
    #expect(try await scene.deliver([event]).statuses == ["ok"])
    #expect(try await scene.told() == [Push(token: "marco-0", isSilent: true, badge: 0)])
  }
}
