import Core
import Cryptography
import FirestoreModel
import FunctionHost
import TestKit
import Testing

/// The owner of a device's token after users have registered it, in any order of the events.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct TokenOwnerTests {
  private typealias Scene = NotificationScene
  private static let token = "phone"

  /// Writes documents in one commit.
  ///
  /// - Returns: The event of each document's creation, with the document's real times.
  private func write(_ documents: String, _ scene: Scene) async throws -> [String] {
    try await scene.write(documents)
    var events: [String] = []
    for path in try #require(json(documents).object).keys.map(\.string).sorted() {
      events.append(try await scene.registered(path))
    }
    return events
  }

  /// Returns the ids of the users whose device `d` or profile has the token.
  private func holders(_ scene: Scene) async throws -> [String] {
    var holders: [String] = []
    for uid in ["lea", "marco", "sarah"] {
      let documents = [
        try await scene.fields("users/\(uid)/devices/d"), try await scene.fields("users/\(uid)"),
      ]
      let tokens =
        documents.compactMap { $0?["fcmToken"] }
        + documents.flatMap { $0?["fcmTokens"]?.array ?? [] }
      if tokens.contains(.string(Self.token)) { holders.append(uid) }
    }
    return holders
  }

  /// Returns the id of the user who owns the token.
  private func owner(_ scene: Scene) async throws -> JSONValue? {
    let key = "t" + SHA256.hexadecimal(Self.token.utf8).prefix(32)
    return try await scene.fields("deviceTokens/\(key)")?["uid"]
  }

  @Test func `who signs in on a phone takes it from the user before, who may take it back`()
    async throws
  {
    let scene = try Scene()
    let device = { (uid: String) in
      #"{"users/\#(uid)/devices/d":{"fcmToken":"phone","platform":"ios"}}"#
    }
    for uid in ["marco", "lea", "marco", "sarah"] {
      let results = try await scene.deliver(try await write(device(uid), scene))
      #expect(results.statuses == ["ok"])
      #expect(try await holders(scene) == [uid])
      #expect(try await owner(scene) == .string(uid))
    }
  }

  static let documents = [
    (
      #"{"users/marco/devices/d":{"fcmToken":"phone"}}"#,
      #"{"users/lea/devices/d":{"fcmToken":"phone"}}"#
    ),
    (#"{"users/marco":{"fcmToken":"phone"}}"#, #"{"users/lea":{"fcmTokens":["tablet","phone"]}}"#),
    (#"{"users/marco":{"fcmTokens":["phone"]}}"#, #"{"users/lea/devices/d":{"fcmToken":"phone"}}"#),
    (#"{"users/marco/devices/d":{"fcmToken":"phone"}}"#, #"{"users/lea":{"fcmToken":"phone"}}"#),
  ]

  @Test(arguments: documents)
  func `of two users who register a token at once the later keeps it, in any order of the events`(
    first: String,
    second: String
  ) async throws {
    for workers in [1, 4] {
      for isReversed in [false, true] {
        let scene = try Scene()
        let events = try await write(first, scene) + write(second, scene)
        let ordered = isReversed ? events.reversed() : events
        let results = try await scene.deliver(
          ordered + ordered + ordered.reversed() + ordered,
          workers: workers
        )
        #expect(results.allSatisfy { $0["exitCode"] == .integer(0) })
        #expect(try await holders(scene) == ["lea"])
        #expect(try await owner(scene) == .string("lea"))
      }
    }
  }

  @Test func `a token that two users register in one commit has one owner`() async throws {
    let scene = try Scene()
    let events = try await write(
      """
      {"users/marco/devices/d":{"fcmToken":"phone"},"users/lea/devices/d":{"fcmToken":"phone"}}
      """,
      scene
    )
    try await scene.deliver(events + events.reversed() + events, workers: 3)
    #expect(try await holders(scene) == ["marco"])
  }

  @Test func `a late event doesn't take a token from its owner, nor undo a later registration`()
    async throws
  {
    let scene = try Scene()
    let device = { (uid: String) in #"{"users/\#(uid)/devices/d":{"fcmToken":"phone"}}"# }
    let first = try await write(device("marco"), scene)
    let second = try await write(device("lea"), scene)
    try await scene.deliver(second)
    // Marco signs in again, and this event is late, too.
    let third = try await write(device("marco").replacing("}}", with: #","updatedAt":1}}"#), scene)
    try await scene.deliver(first)
    #expect(try await holders(scene) == ["lea", "marco"])
    try await scene.deliver(third + second + first)
    #expect(try await holders(scene) == ["marco"])
    #expect(try await owner(scene) == .string("marco"))
  }

  /// The documents of marco before lea's registration and at his later one.
  static let laterProfiles = [
    (#"{"users/marco":{"fcmToken":null}}"#, #"{"users/marco":{"fcmToken":"phone"}}"#),
    (
      #"{"users/marco":{"fcmToken":"tablet"}}"#,
      #"{"users/marco":{"fcmToken":"tablet","fcmTokens":["phone"]}}"#
    ),
  ]

  @Test(arguments: laterProfiles)
  func `a later registration on a profile wins over the event of the one before`(
    early: String,
    late: String
  ) async throws {
    let scene = try Scene()
    try await scene.deliver(
      try await write(#"{"users/marco/devices/d":{"fcmToken":"phone"}}"#, scene)
    )
    try await scene.write(early)
    let first = try await write(#"{"users/lea/devices/d":{"fcmToken":"phone"}}"#, scene)
    let second = try await write(late, scene)
    let profile = try await scene.fields("users/marco")
    try await scene.deliver(first)
    #expect(try await holders(scene) == ["lea"])
    try await scene.deliver(second + first + second)
    #expect(try await holders(scene) == ["marco"])
    #expect(try await owner(scene) == .string("marco"))
    #expect(try await scene.fields("users/marco") == profile)
  }

  @Test func `a later registration on a profile that was withdrawn meanwhile isn't restored`()
    async throws
  {
    let scene = try Scene()
    try await scene.deliver(try await write(#"{"users/marco":{"fcmToken":"phone"}}"#, scene))
    let first = try await write(#"{"users/lea/devices/d":{"fcmToken":"phone"}}"#, scene)
    let second = try await write(#"{"users/marco":{"fcmToken":"phone","a":1}}"#, scene)
    try await scene.deliver(first)
    try await scene.write(#"{"users/marco":{"fcmToken":null}}"#)
    try await scene.deliver(second + second)
    #expect(try await holders(scene) == [])
    #expect(try await owner(scene) == nil)
  }

  @Test func `a user's documents for one token all lose it, and keep their other tokens`()
    async throws
  {
    let scene = try Scene()
    let events = try await write(
      """
      {"users/marco": {"fcmToken": "phone", "fcmTokens": ["phone", "tablet"], "displayName": "M"},
       "users/marco/devices/d": {"fcmToken": "phone"},
       "users/marco/devices/e": {"fcmToken": "phone"},
       "users/marco/devices/f": {"fcmToken": "watch"}}
      """,
      scene
    )
    try await scene.deliver(events + events)
    #expect(try await holders(scene) == ["marco"])
    try await scene.deliver(
      try await write(#"{"users/lea/devices/d":{"fcmToken":"phone"}}"#, scene)
    )
    #expect(try await holders(scene) == ["lea"])
    #expect(
      try await scene.fields("users/marco")
        == (try json(#"{"fcmTokens":["tablet"],"displayName":"M"}"#))
    )
    #expect(try await scene.fields("users/marco/devices/e") == nil)
    #expect(try await scene.fields("users/marco/devices/f")?["fcmToken"] == .string("watch"))
  }

  @Test func `a registration that was withdrawn leaves the token to nobody`() async throws {
    let scene = try Scene()
    let first = try await write(#"{"users/marco/devices/d":{"fcmToken":"phone"}}"#, scene)
    try await scene.deliver(first)
    let second = try await write(#"{"users/lea/devices/d":{"fcmToken":"phone"}}"#, scene)
    try await scene.delete("users/lea/devices/d")
    try await scene.deliver(second + first + second)
    #expect(try await holders(scene) == [])
    #expect(try await owner(scene) == nil)
  }

  @Test func `an update of a profile registers only new tokens`() async throws {
    let scene = try Scene()
    try await scene.write(#"{"users/marco":{"fcmTokens":["phone","tablet"],"online":true}}"#)
    let all: JSONObject = ["fcmTokens": .array([.string("phone"), .string("tablet")])]
    let one: JSONObject = ["fcmTokens": .array([.string("tablet")])]
    let results = try await scene.deliver([
      scene.updated(path: "users/marco", from: all, to: all.with(["online": .boolean(true)])),
      scene.updated(path: "users/marco", from: all, to: one),
      scene.updated(path: "users/marco", from: one, to: all),
    ])
    #expect(results.statuses == ["skipped", "skipped", "ok"])
    #expect(results.last?.at("result.owned") == .integer(1))
    #expect(try await owner(scene) == .string("marco"))
  }

  @Test(arguments: [
    #"{"fcmToken":7}"#, #"{"fcmToken":["phone"]}"#, #"{"fcmToken":null}"#, #"{"fcmToken":""}"#,
    #"{"fcmToken":"téléphone"}"#, #"{"token":"phone"}"#, "{}",
  ])
  func `a document without a valid token registers nothing`(fields: String) async throws {
    let scene = try Scene()
    let events = try await write(
      #"{"users/marco/devices/d":\#(fields),"users/marco":\#(fields)}"#,
      scene
    )
    let results = try await scene.deliver(events)
    #expect(results.statuses == ["skipped", "skipped"])
    #expect(try await owner(scene) == nil)
  }

  @Test func `an invalid document about the owner counts as none`() async throws {
    let scene = try Scene()
    let first = try await write(#"{"users/marco/devices/d":{"fcmToken":"phone"}}"#, scene)
    try await scene.deliver(first)
    let key = "t" + SHA256.hexadecimal(Self.token.utf8).prefix(32)
    try await scene.write(#"{"deviceTokens/\#(key)":{"uid":7,"since":"now"}}"#)
    try await scene.deliver(first)
    #expect(try await owner(scene) == .string("marco"))
  }

  @Test func `of many tokens in one profile only the first are registered`() async throws {
    let scene = try Scene()
    let tokens = (0..<5_000).map { #""phone\#($0)""# }.joined(separator: ",")
    let events = try await write(#"{"users/marco":{"fcmTokens":[\#(tokens)]}}"#, scene)
    let results = try await scene.deliver(events)
    #expect(results.first?.at("result.owned") == .integer(20))
  }

  @Test func `until its event is handled, a shared token's push is the later user's`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"], devices: 0)
    try await scene.write(#"{"users/lea":{"primaryLanguage":"en","fcmToken":"phone"}}"#)
    try await scene.write(#"{"users/marco/devices/d":{"fcmToken":"phone"}}"#)
    try await scene.write(["m": Scene.message()])
    let results = try await scene.deliver([scene.created("m", Scene.message())])
    #expect(try await scene.rung() == ["phone"])
    let sent = (results.first?.at("result.recipients")?.array ?? []).filter {
      $0["sent"] == .integer(1)
    }
    #expect(sent.map { $0["uid"] } == [.string("marco")])
    let lea = results.first?.at("result.recipients")?.array?.first { $0["uid"] == .string("lea") }
    #expect(lea?["alreadySent"] == .integer(0))
    #expect(lea?["reason"] == .string("no device"))
  }
}
