import Core
import TestKit
import Testing

/// The forms in which clients write that a message was delivered and read.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ReceiptFormTests {
  private typealias Scene = NotificationScene

  /// Writes a conversation and one message of Sarah's, and notifies the other members.
  private func notified(
    _ scene: Scene,
    members: [String] = ["sarah", "marco"],
    type: String = "one-on-one"
  ) async throws -> JSONObject {
    try await scene.writePeople(members)
    let conversation: JSONObject = [
      "type": .string(type), "participants": .array(members.map(JSONValue.string)),
    ]
    try await scene.write(
      JSONValue.object([ByteKey(Scene.conversation): .object(conversation)]).text
    )
    let message = Scene.message().with(["status": .string("sent")])
    try await scene.write(["m": message])
    #expect(try await scene.deliver([scene.created("m", message)]).statuses == ["ok"])
    #expect(try await scene.unread("marco") == 1)
    return message
  }

  /// Changes a message, delivers the event, and returns the result's status.
  private func change(
    _ scene: Scene,
    from old: JSONObject,
    to new: JSONObject
  ) async throws -> String? {
    try await scene.write(["m": new])
    return try await scene.deliver([scene.updated("m", from: old, to: new)]).statuses.first
  }

  private static let time = JSONValue.object(["timestampValue": .string("2026-01-02T03:04:05Z")])

  static let receipts: [(form: String, fields: JSONObject)] = [
    ("003, workflow 2: status", ["status": .string("read")]),
    ("readAt", ["readAt": time]),
    ("readAt in milliseconds", ["readAt": .integer(1_767_323_045_000)]),
    (
      "000, narrative 3.14: all three",
      ["status": .string("read"), "readAt": time, "readBy": .array([.string("marco")])]
    ),
    ("004: readBy with the sender", ["readBy": .array([.string("sarah"), .string("marco")])]),
  ]

  @Test(arguments: receipts)
  func `between two, each form of a receipt clears the count and the badge`(
    _ receipt: (form: String, fields: JSONObject)
  ) async throws {
    let scene = try Scene()
    let message = try await notified(scene)
    let read = message.with(receipt.fields)
    try await scene.write(["m": read])
    let event = scene.updated("m", from: message, to: read)
    #expect(try await scene.deliver([event, event]).statuses == ["ok", "skipped"])
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.told() == [Scene.Push(token: "marco-0", isSilent: true, badge: 0)])
    let stored = try await scene.fields(Scene.path("m"))
    #expect(stored?["readBy"]?.array?.contains(.string("marco")) == true, "the one form we write")
    #expect(stored?["status"] == read["status"])
  }

  @Test func `a delivery on a second phone leaves a message read`() async throws {
    let scene = try Scene()
    let message = try await notified(scene)
    let delivered = message.with(["status": .string("delivered")])
    #expect(try await change(scene, from: message, to: delivered) == "skipped")
    #expect(try await scene.unread("marco") == 1)
    let read = message.with(["status": .string("read")])
    #expect(try await change(scene, from: delivered, to: read) == "ok")
    #expect(try await scene.unread("marco") == 0)
    // The second phone was offline. It writes the status alone, as Firestore's updates do.
    let answer = try await scene.emulator.request(
      "PATCH",
      "firestore",
      scene.emulator.documents(
        "/\(Scene.path("m"))?updateMask.fieldPaths=status",
        project: scene.project
      ),
      json: #"{"fields":{"status":{"stringValue":"delivered"}}}"#
    )
    #expect(answer.status == 200)
    let back = read.read(by: ["marco"]).with(["status": .string("delivered")])
    let event = scene.updated("m", from: read.read(by: ["marco"]), to: back)
    #expect(try await scene.deliver([event]).statuses == ["skipped"])
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.told().map(\.badge) == [0])
  }

  @Test func `in a group only readBy says who has read`() async throws {
    let scene = try Scene()
    let message = try await notified(scene, members: ["sarah", "marco", "lea"], type: "group")
    let marked = message.with(["status": .string("read"), "readAt": Self.time])
    #expect(try await change(scene, from: message, to: marked) == "skipped")
    #expect(try await scene.unread("marco") == 1)
    let read = marked.read(by: ["marco"])
    #expect(try await change(scene, from: marked, to: read) == "ok")
    #expect(try await scene.unread("marco") == 0)
    #expect(try await scene.unread("lea") == 1)
    #expect(try await scene.fields(Scene.path("m"))?["readBy"] == .array([.string("marco")]))
  }

  @Test func `a status doesn't say which of two readers has read once the sender has left`()
    async throws
  {
    let scene = try Scene()
    let message = try await notified(scene, members: ["sarah", "marco", "lea"])
    try await scene.writeMembers(["marco", "lea"])
    let read = message.with(["status": .string("read")])
    #expect(try await change(scene, from: message, to: read) == "skipped")
    #expect(try await scene.unread("marco") == 1)
    #expect(try await scene.unread("lea") == 1)
    #expect(try await scene.fields(Scene.path("m"))?["readBy"] == .array([]))
  }

  static let noReceipts: [JSONObject] = [
    ["status": .string("delivered")], ["status": .string("Read")], ["status": .integer(3)],
    ["status": .array([.string("read")])], ["readAt": .null], ["readAt": .string("yesterday")],
    ["readAt": .integer(-1)], ["readAt": .integer(.max)], ["readAt": .object([:])],
    ["readBy": .string("marco")], ["readBy": .array([.string("sarah")])],
  ]

  @Test(arguments: noReceipts)
  func `a status or time of another kind reads nothing`(fields: JSONObject) async throws {
    let scene = try Scene()
    let message = try await notified(scene)
    #expect(try await change(scene, from: message, to: message.with(fields)) == "skipped")
    #expect(try await scene.unread("marco") == 1)
    #expect(try await scene.told() == [])
  }

  @Test func `a receipt for a message that was deleted meanwhile writes nothing to it`()
    async throws
  {
    let scene = try Scene()
    let message = try await notified(scene)
    try await scene.delete(Scene.path("m"))
    let read = message.with(["status": .string("read")])
    #expect(
      try await scene.deliver([scene.updated("m", from: message, to: read)]).statuses == ["ok"]
    )
    #expect(try await scene.fields(Scene.path("m")) == nil)
    #expect(try await scene.unread("marco") == 0)
  }

  @Test(arguments: [1_760_000_000_000, 1_760_000_000_999])
  func `a message of 004 gets the field timestamp, by which messages are ordered`(
    clientTimestamp: Int64
  ) async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    var message = Scene.message("Hello from 004")
    message["serverTimestamp"] = message["timestamp"]
    message["timestamp"] = nil
    message["clientTimestamp"] = .integer(clientTimestamp)
    try await scene.write(["m": message])
    #expect(try await scene.deliver([scene.created("m", message)]).statuses == ["ok"])
    let stored = try await scene.fields(Scene.path("m"))
    #expect(stored?["timestamp"] == stored?["serverTimestamp"])
    #expect(try await scene.unread("marco") == 1)
    let conversation = try await scene.fields(Scene.conversation)
    #expect(conversation?["lastMessageId"] == .string("m"))
    #expect(conversation?["lastMessageAt"] == stored?["serverTimestamp"])
  }
}
