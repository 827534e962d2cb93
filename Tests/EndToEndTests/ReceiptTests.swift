import Core
import FunctionHost
import TestKit
import Testing

/// Unread counts, last messages and badges after receipts, edits and deletions.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ReceiptTests {
  private typealias Scene = NotificationScene
  private typealias Push = NotificationScene.Push

  /// Writes messages of Sarah's, and notifies Marco and Lea of them.
  private func notified(
    of count: Int,
    _ scene: Scene,
    devices: Int = 1
  ) async throws -> [(id: String, fields: JSONObject)] {
    try await scene.writePeople(["sarah", "marco", "lea"], devices: devices)
    let messages = (0..<count).map { ("m\($0)", Scene.message("Text \($0)", minute: $0)) }
    try await scene.write(Dictionary(uniqueKeysWithValues: messages))
    let results = try await scene.deliver(messages.map { scene.created($0, $1) })
    #expect(results.statuses == Array(repeating: "ok", count: count))
    return messages.map { (id: $0, fields: $1) }
  }

  // MARK: Receipts

  @Test func `50 receipts of one batch write the inbox once and notify each phone once`()
    async throws
  {
    let scene = try Scene()
    let messages = try await notified(of: 50, scene, devices: 2)
    #expect(try await scene.unread("marco") == 50)
    let read = messages.map { ($0.id, $0.fields, $0.fields.read(by: ["marco"])) }
    try await scene.write(Dictionary(uniqueKeysWithValues: read.map { ($0.0, $0.2) }))
    let events = read.map { scene.updated($0.0, from: $0.1, to: $0.2) }
    // Each event is delivered twice. Eight workers share the deliveries.
    let results = try await scene.deliver(events + events, workers: 8)
    #expect(results.statuses.count { $0 == "ok" } == 1)
    #expect(results.statuses.count { $0 == "skipped" } == 99)
    #expect(results.writeCount(of: "users/marco/inbox/c") == 1)
    #expect(
      try await scene.told().sorted { $0.token < $1.token } == [
        Push(token: "marco-0", isSilent: true, badge: 0),
        Push(token: "marco-1", isSilent: true, badge: 0),
      ]
    )
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.unread("lea") == 50)
    #expect(try await scene.unread("sarah") == nil, "the sender has no unread count")
    #expect(try await scene.emulator.collection("leases", project: scene.project) == [])
  }

  @Test func `a silent push has a number and nothing to hear or see`() async throws {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    let read = message.fields.read(by: ["marco"])
    try await scene.write([message.id: read])
    try await scene.deliver([scene.updated(message.id, from: message.fields, to: read)])
    let push = try #require(try await scene.emulator.pushes(project: scene.project).last)
    #expect(
      push["message"]
        == (try json(
          """
          {"token": "marco-0",
           "data": {"type": "badge", "badge": "0", "conversationId": "c"},
           "android": {"priority": "normal", "collapse_key": "badge"},
           "apns": {"headers": {"apns-priority": "5", "apns-push-type": "alert",
             "apns-collapse-id": "badge"},
            "payload": {"aps": {"badge": 0, "content-available": 1}}}}
          """
        ))
    )
  }

  @Test func `messages from before the time up to which a reader has read count when unread`()
    async throws
  {
    let scene = try Scene()
    let messages = try await notified(of: 3, scene)
    let read = messages.map { ($0.id, $0.fields, $0.fields.read(by: ["marco"])) }
    try await scene.write(Dictionary(uniqueKeysWithValues: read.map { ($0.0, $0.2) }))
    try await scene.deliver(read.map { scene.updated($0.0, from: $0.1, to: $0.2) })
    #expect(try await scene.unread("marco") == 0)
    let inbox = "users/marco/inbox/c"
    let newest = try await scene.fields(Scene.path("m2"))?["timestamp"]
    #expect(try await scene.fields(inbox)?["readUpTo"] == newest)

    // A client wrote the time itself, and its clock is slow.
    let late = Scene.message("Late", minute: -5)
    try await scene.write(["late": late])
    try await scene.deliver([scene.created("late", late)])
    #expect(try await scene.unread("marco") == 1)
    // A receipt of Lea's in the older form overwrites Marco's.
    let overwritten = read[0].2.read(by: ["lea"])
    try await scene.write(["m0": overwritten])
    try await scene.deliver([scene.updated("m0", from: read[0].2, to: overwritten)])
    #expect(try await scene.unread("marco") == 2)

    let all = [("late", late, late.read(by: ["marco"])), ("m0", overwritten, read[0].2)]
    try await scene.write(Dictionary(uniqueKeysWithValues: all.map { ($0.0, $0.2) }))
    try await scene.deliver(all.map { scene.updated($0.0, from: $0.1, to: $0.2) })
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.fields(inbox)?["readUpTo"] == newest)
    #expect(try await scene.fields(inbox)?["lastMessageId"] == .string("m2"))
  }

  @Test func `a late message between two copies of a message that was read counts alone`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"])
    let copy: JSONObject = ["clientId": .string("k")]
    let first = Scene.message("Once", minute: 1, readBy: ["marco"]).with(copy)
    let second = Scene.message("Once", minute: 3).with(copy)
    let newest = Scene.message("Newest", minute: 9, readBy: ["marco"])
    try await scene.write(["first": first, "second": second, "newest": newest])
    try await scene.deliver([
      scene.created("first", first), scene.created("second", second),
      scene.created("newest", newest),
    ])
    #expect(try await scene.unread("marco") == 0)

    let late = Scene.message("Late", minute: 2)
    try await scene.write(["late": late])
    try await scene.deliver([scene.created("late", late)])
    #expect(try await scene.unread("marco") == 1)
    let next = Scene.message("Next", minute: 10)
    try await scene.write(["next": next])
    try await scene.deliver([scene.created("next", next)])
    #expect(try await scene.unread("marco") == 2)
    let read = [("late", late, late.read(by: ["marco"])), ("next", next, next.read(by: ["marco"]))]
    try await scene.write(Dictionary(uniqueKeysWithValues: read.map { ($0.0, $0.2) }))
    try await scene.deliver(read.map { scene.updated($0.0, from: $0.1, to: $0.2) })
    #expect(try await scene.unread("marco") == 0)
  }

  @Test func `of more than a hundred unread messages those left after deletions count`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    let messages = (0..<150).map { ("m\($0)", Scene.message(minute: $0)) }
    try await scene.write(Dictionary(uniqueKeysWithValues: messages))
    try await scene.deliver([scene.created(messages[149].0, messages[149].1)])
    #expect(try await scene.unread("marco") == 100)
    for (id, _) in messages[90...] { try await scene.delete(Scene.path(id)) }
    try await scene.deliver([scene.deleted(messages[149].0, messages[149].1)])
    #expect(try await scene.unread("marco") == 90)
  }

  @Test func `a message counts, is shown and rings once it has something to show`() async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    let fields: [JSONObject] = [
      ["text": .string("Now")], ["mediaURL": .string("https://example.com/a.jpg")],
    ]
    for (index, content) in fields.enumerated() {
      let id = "m\(index)"
      let empty = Scene.message("", minute: index)
      try await scene.write([id: empty])
      #expect(try await scene.deliver([scene.created(id, empty)]).statuses == ["skipped"])
      #expect(try await scene.unread("marco") ?? 0 == index)
      let message = empty.with(content)
      try await scene.write([id: message])
      let event = scene.updated(id, from: empty, to: message)
      #expect(try await scene.deliver([event, event]).statuses == ["ok", "skipped"])
      #expect(try await scene.unread("marco") == index + 1)
      #expect(try await scene.fields(Scene.conversation)?["lastMessageId"] == .string(id))
    }
    #expect(try await scene.rung() == ["marco-0", "marco-0"])
    let message = Scene.message("", minute: 0).with(fields[0])
    let empty = Scene.message("", minute: 0)
    try await scene.write(["m0": empty])
    #expect(
      try await scene.deliver([scene.updated("m0", from: message, to: empty)]).statuses == ["ok"]
    )
    #expect(try await scene.unread("marco") == 1)
  }

  @Test func `a message that is written again after its deletion counts, and rings once`()
    async throws
  {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    try await scene.delete(Scene.path(message.id))
    try await scene.deliver([scene.deleted(message.id, message.fields)])
    #expect(try await scene.unread("marco") == 0)
    try await scene.write([message.id: message.fields])
    try await scene.deliver([scene.created(message.id, message.fields)])
    #expect(try await scene.unread("marco") == 1)
    #expect(try await scene.fields(Scene.conversation)?["lastMessageId"] == .string(message.id))
    #expect(try await scene.rung() == ["lea-0", "marco-0"])
  }

  @Test func `an edit with a receipt shows all readers the new text`() async throws {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    let edited = message.fields.with(["text": .string("Edited")]).read(by: ["marco"])
    try await scene.write([message.id: edited])
    try await scene.deliver([scene.updated(message.id, from: message.fields, to: edited)])
    for (uid, unread) in [("marco", 0), ("lea", 1)] {
      let inbox = try await scene.fields("users/\(uid)/inbox/c")
      #expect(inbox?["lastMessage"] == .string("Edited"))
      #expect(inbox?["unread"] == .integer(Int64(unread)))
    }
  }

  @Test func `an update that replaces the list of readers counts for all but the sender`()
    async throws
  {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    let marco = message.fields.read(by: ["marco", "sarah", "stranger"])
    try await scene.write([message.id: marco])
    try await scene.deliver([scene.updated(message.id, from: message.fields, to: marco)])
    #expect(try await scene.unread("marco") == 0)
    // Lea's app hasn't received Marco's receipt, so its list of readers replaces his.
    let lea = message.fields.read(by: ["lea"])
    try await scene.write([message.id: lea])
    try await scene.deliver([scene.updated(message.id, from: marco, to: lea)])
    #expect(try await scene.unread("lea") == 0)
    #expect(try await scene.unread("marco") == 1)
    // The message's list of readers becomes empty again.
    try await scene.write([message.id: message.fields])
    try await scene.deliver([scene.updated(message.id, from: lea, to: message.fields)])
    #expect(try await scene.unread("lea") == 1)
    #expect(try await scene.unread("sarah") == nil)
    #expect(
      try await scene.told().map { "\($0.token) \($0.badge ?? -1)" }.sorted()
        == ["lea-0 0", "lea-0 1", "marco-0 0", "marco-0 1"]
    )
    #expect(try await scene.fields("users/stranger/inbox/c") == nil)
  }

  @Test func `an update of other fields, or of the order of readers, is skipped`() async throws {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    let status = message.fields.with(["status": .string("delivered")])
    let first = message.fields.read(by: ["marco", "lea"])
    let second = message.fields.read(by: ["lea", "marco", "lea"])
    try await scene.write([message.id: message.fields])
    let results = try await scene.deliver([
      scene.updated(message.id, from: message.fields, to: status),
      scene.updated(message.id, from: first, to: second),
    ])
    #expect(results.statuses == ["skipped", "skipped"])
    #expect(results.allSatisfy { $0["writes"] == .array([]) })
    #expect(try await scene.told() == [])
  }

  @Test func `a badge is the sum of all conversations, whatever their documents hold`()
    async throws
  {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    try await scene.write(
      """
      {"users/marco/inbox/a": {"unread": 3}, "users/marco/inbox/b": {"unread": -7},
       "users/marco/inbox/d": {"unread": "9"}, "users/marco/inbox/e": {"unread": 900000000000},
       "users/marco/inbox/f": {}, "users/marco/inbox/g": {"unread": null}}
      """
    )
    let read = message.fields.read(by: ["marco"])
    try await scene.write([message.id: read])
    try await scene.deliver([scene.updated(message.id, from: message.fields, to: read)])
    #expect(try await scene.told() == [Push(token: "marco-0", isSilent: true, badge: 103)])
  }

  @Test(arguments: [#"{"unread":"5"}"#, #"{"unread":-1,"lastMessageId":7}"#, #"{"x":[]}"#])
  func `an inbox of the wrong shape is repaired`(inbox: String) async throws {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    try await scene.write(#"{"users/marco/inbox/c":\#(inbox)}"#)
    let read = message.fields.read(by: ["marco"])
    try await scene.write([message.id: read])
    try await scene.deliver([scene.updated(message.id, from: message.fields, to: read)])
    let fields = try await scene.fields("users/marco/inbox/c")
    #expect(fields?["unread"] == .integer(0))
    #expect(fields?["lastMessageId"] == .string("m0"))
  }

  // MARK: Failures

  @Test func `a function killed before its silent pushes leaves them to the redelivery`()
    async throws
  {
    let scene = try Scene()
    let message = try await notified(of: 1, scene)[0]
    let read = message.fields.read(by: ["marco"])
    try await scene.write([message.id: read])
    let event = scene.updated(message.id, from: message.fields, to: read)
    try await scene.deliverAndKill(event)
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.told() == [])

    let results = try await scene.deliver([event, event], workers: 2)
    #expect(results.statuses.sorted() == ["ok", "skipped"])
    #expect(try await scene.told() == [Push(token: "marco-0", isSilent: true, badge: 0)])
    #expect(try await scene.emulator.collection("leases", project: scene.project) == [])
  }

  @Test func `a redelivery sends what FCM refused for now, and dead tokens are removed`()
    async throws
  {
    let server = try LoopbackServer { request, connection in
      let token = (try? JSONValue(parsing: request.body))?.at("message.token")?.string
      let body = #"{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}"#
      return token == "marco-0"
        ? connection.answer(status: 404, body: Data(body.utf8)) : connection.answer(status: 503)
    }
    defer { server.stop() }
    let plain = try Scene()
    let message = try await notified(of: 1, plain, devices: 2)[0]
    let read = message.fields.read(by: ["marco"])
    try await plain.write([message.id: read])
    let event = plain.updated(message.id, from: message.fields, to: read)
    let run = try await runFunction(
      "sendNotification",
      input: event,
      environment: plain.environment.merging([
        "FCM_BASE_URL": server.url(""), "LEASE_SECONDS": "1",
      ]) { $1 }
    )
    #expect((run.exitCode, run.errorCode) == (75, "UNAVAILABLE"))
    #expect(try await plain.fields("users/marco/devices/d0") == nil)
    #expect(try await plain.deliver([event]).statuses == ["ok"])
    #expect(try await plain.told() == [Push(token: "marco-1", isSilent: true, badge: 0)])
  }

  // MARK: Edits and deletions

  @Test func `the newest message's edit shows in the conversation and pushes nothing`() async throws
  {
    let scene = try Scene()
    let messages = try await notified(of: 2, scene)
    let before = try await scene.pushes().count
    for (message, shown) in zip(messages.reversed(), ["Edited m1", "Edited m1"]) {
      let edited = message.fields.with(["text": .string("Edited \(message.id)")])
      try await scene.write([message.id: edited])
      try await scene.deliver([scene.updated(message.id, from: message.fields, to: edited)])
      let fields = try await scene.fields(Scene.conversation)
      #expect(fields?["lastMessage"] == .string(shown))
      #expect(fields?["lastMessageId"] == .string("m1"))
    }
    #expect(try await scene.pushes().count == before)
  }

  @Test func `a deleted message no longer counts, and the one before becomes the last message`()
    async throws
  {
    let scene = try Scene()
    let messages = try await notified(of: 2, scene)
    // Lea has read the deleted message, so its deletion doesn't change her badge.
    let read = messages[1].fields.read(by: ["lea"])
    try await scene.write([messages[1].id: read])
    try await scene.deliver([
      scene.updated(messages[1].id, from: messages[1].fields, to: read)
    ])
    for (index, left) in [(1, 1), (0, 0)] {
      try await scene.delete(Scene.path(messages[index].id))
      let event = scene.deleted(messages[index].id, messages[index].fields)
      #expect(try await scene.deliver([event, event]).statuses == ["ok", "skipped"])
      #expect(try await scene.unread("marco") == left)
      let fields = try await scene.fields(Scene.conversation)
      #expect(fields?["lastMessageId"] == (left == 0 ? nil : .string("m0")))
      #expect(fields?["lastMessage"] == (left == 0 ? nil : .string("Text 0")))
      #expect((fields?["lastMessageAt"] == nil) == (left == 0))
    }
    let inbox = try await scene.fields("users/marco/inbox/c")
    #expect(inbox?["unread"] == .integer(0))
    #expect(inbox?.object?.keys.sorted() == ["readUpTo", "unread"], "no preview")
    let told = try await scene.told()
    #expect(told.filter { $0.token == "marco-0" }.map(\.badge) == [1, 0])
    #expect(told.filter { $0.token == "lea-0" }.map(\.badge) == [1, 0])
    // The creation's event is delivered after the deletion's.
    let late = try await scene.deliver([scene.created(messages[1].id, messages[1].fields)])
    #expect(late.map { $0["reason"] } == [.string("the message no longer exists")])
    #expect(try await scene.fields(Scene.conversation)?["lastMessageId"] == nil)
  }

  @Test func `in the layout without conversation documents receipts and deletions count too`()
    async throws
  {
    let scene = try Scene()
    try await scene.write(
      #"{"users/marco":{"primaryLanguage":"en"},"users/marco/devices/d":{"fcmToken":"marco-0"}}"#
    )
    let message = Scene.message().with(["recipientId": .string("marco")])
    try await scene.write(["m": message])
    try await scene.deliver([scene.created("m", message)])
    #expect(try await scene.unread("marco") == 1)
    let read = message.read(by: ["marco"])
    try await scene.write(["m": read])
    try await scene.deliver([scene.updated("m", from: message, to: read)])
    #expect(try await scene.unread("marco") == 0)
    try await scene.write(["m": message])
    try await scene.deliver([scene.updated("m", from: read, to: message)])
    try await scene.delete(Scene.path("m"))
    try await scene.deliver([scene.deleted("m", message)])
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.told().map(\.badge) == [0, 1, 0])
    #expect(try await scene.fields(Scene.conversation) == nil)
  }

  @Test func `a conversation without a list of members is refused, without a retry`() async throws {
    let scene = try Scene()
    try await scene.write(#"{"conversations/c":{"participants":"sarah, marco"}}"#)
    let message = Scene.message()
    let read = message.read(by: ["marco"])
    let results = try await scene.deliver([
      scene.updated("m", from: message, to: read), scene.deleted("m", message),
    ])
    #expect(results.map { $0["exitCode"] } == [.integer(65), .integer(65)])
  }
}
