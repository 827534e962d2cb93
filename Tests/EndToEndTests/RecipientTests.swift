import Core
import FirestoreModel
import TestKit
import Testing

/// The phones that get a push for a message, and the text of the push.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct RecipientTests {
  private typealias Scene = NotificationScene

  private func reasons(_ result: JSONValue?) -> [String: String] {
    (result?.at("result.recipients")?.array ?? []).reduce(into: [:]) {
      $0[$1["uid"]?.string ?? ""] = $1["reason"]?.string
    }
  }

  // MARK: Changes before the push

  @Test func `a reader who has read a message gets no push, however late the event`() async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"])
    let message = Scene.message()
    try await scene.write(["m": message.read(by: ["marco"])])
    let results = try await scene.deliver([scene.created("m", message)])
    #expect(reasons(results.first) == ["marco": "read already"])
    #expect(try await scene.rung() == ["lea-0"])

    try await scene.write(["n": message.read(by: ["lea", "marco"])])
    try await scene.deliver([scene.created("n", message)])
    #expect(try await scene.rung() == ["lea-0"])
  }

  @Test func `a message that was edited before the push is pushed with its current text`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    try await scene.write(["m": Scene.message("Second")])
    try await scene.deliver([scene.created("m", Scene.message("First"))])
    let push = try await scene.emulator.pushes(project: scene.project).first
    #expect(push?.at("message.notification.body") == .string("sarah: Second"))
  }

  @Test func `a deleted message is not pushed`() async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    let results = try await scene.deliver([scene.created("m", Scene.message())])
    #expect(results.map { $0["reason"] } == [.string("the message no longer exists")])
    #expect(try await scene.pushes() == [])
    #expect(try await scene.unread("marco") == nil)
  }

  // MARK: Members

  @Test func `a removed sender's message is not pushed, but counts as unread`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["marco", "lea"])
    try await scene.write(["m": Scene.message()])
    let results = try await scene.deliver([scene.created("m", Scene.message())])
    let reason = "the sender is no longer a member"
    #expect(reasons(results.first) == ["marco": reason, "lea": reason])
    #expect(try await scene.pushes() == [])
    #expect(try await scene.unread("marco") == 1)
  }

  @Test func `a member who joined after a message gets no push of it`() async throws {
    let scene = try Scene()
    let time = { (minute: Int64) in
      #"{"timestampValue":"\#(Timestamp(seconds: 1_760_000_000 + minute * 60))"}"#
    }
    try await scene.writePeople(["sarah", "marco", "lea", "jonas", "ana"])
    try await scene.write(
      """
      {"conversations/c": {"type": "group",
        "participants": ["sarah", "marco", "lea", "jonas", "ana"],
        "settings": {"history": true},
        "joinedAt": {"marco": \(time(5)), "lea": \(time(9)), "jonas": "yesterday", "ana": null}}}
      """
    )
    try await scene.write(["m": Scene.message(minute: 7)])
    let results = try await scene.deliver([scene.created("m", Scene.message(minute: 7))])
    let reason = "joined after it was written"
    #expect(reasons(results.first) == ["lea": reason, "jonas": reason])
    #expect(try await scene.rung() == ["ana-0", "marco-0"])
    #expect(try await scene.unread("lea") == 0)
    #expect(try await scene.unread("jonas") == 0)
    #expect(try await scene.unread("marco") == 1)
  }

  @Test func `a member who muted the conversation gets only the badge`() async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"])
    try await scene.write(
      """
      {"conversations/c": {"participants": ["sarah", "marco", "lea"],
        "settings": {"muted": ["marco"]}}}
      """
    )
    try await scene.write(["m": Scene.message()])
    let results = try await scene.deliver([scene.created("m", Scene.message())])
    #expect(reasons(results.first) == ["marco": "muted"])
    #expect(try await scene.rung() == ["lea-0"])
    #expect(try await scene.told() == [.init(token: "marco-0", isSilent: true, badge: 1)])
    #expect(try await scene.unread("marco") == 1)
  }

  @Test func `a mention rings for a member who wants only these, and quiet hours are silent`()
    async throws
  {
    let scene = try Scene()
    let people = ["sarah", "marco", "lea", "jonas", "ana"]
    try await scene.writePeople(people)
    try await scene.write(
      """
      {"conversations/c": {"participants": ["sarah", "marco", "lea", "jonas", "ana"],
        "settings": {"muted": {"marco": {"mentions": true}, "lea": {"mentions": true},
          "jonas": {"until": {"timestampValue": "2020-01-01T00:00:00Z"}}}}},
       "users/lea": {"primaryLanguage": "en", "displayName": "Lea B."},
       "users/ana": {"primaryLanguage": "en", "quietHours": {"from": "00:00", "to": "23:59",
         "timeZone": "\(Timestamp.now.description.contains("T23:59") ? "Etc/GMT-1" : "UTC")"}},
       "users/jonas": {"primaryLanguage": "en", "quietHours": {"timeZone": "PLANTED"}}}
      """
    )
    let message = Scene.message("Thanks, @lea b.")
    try await scene.write(["m": message])
    let results = try await scene.deliver([scene.created("m", message)])
    #expect(reasons(results.first) == ["marco": "muted", "ana": "quiet hours"])
    #expect(try await scene.rung() == ["jonas-0", "lea-0"])
    #expect(try await scene.told().map(\.token).sorted() == ["ana-0", "marco-0"])
  }

  // MARK: Text on the phone

  @Test func `a hidden preview gets a worded body, and only the inbox has the translation`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"])
    try await scene.write(
      """
      {"users/marco": {"primaryLanguage": "it", "notificationPreview": false},
       "users/lea": {"primaryLanguage": "fr", "notificationPreview": "no"}}
      """
    )
    let text = "PLANTED: Thank you so much!"
    try await scene.write(["m": Scene.message(text)])
    try await scene.deliver([scene.created("m", Scene.message(text))])
    for uid in ["marco", "lea"] {
      let shown = try await scene.fields("users/\(uid)/inbox/c")?["lastMessage"]?.string
      #expect(shown?.contains("PLANTED") == true && shown != text, "\(shown ?? "")")
    }
    let pushes = try await scene.emulator.pushes(project: scene.project)
    #expect(
      pushes.compactMap { $0.at("message.notification.body")?.string }.sorted()
        == ["Nouveau message", "Nuovo messaggio"]
    )
    #expect(pushes.allSatisfy { $0.at("message.notification.title") == .string("Trip") })
    #expect(!pushes.contains { $0.text.contains("PLANTED") })
  }

  @Test func `a message without text is pushed as its media type, in the reader's language`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"])
    try await scene.write(
      #"{"users/marco":{"primaryLanguage":"de"},"users/lea":{"primaryLanguage":7}}"#
    )
    let photo = Scene.message("").with(["mediaURL": .string("https://x/a.m4a?alt=media")])
    try await scene.write(["m": photo])
    try await scene.deliver([scene.created("m", photo)])
    #expect(
      try await scene.emulator.pushes(project: scene.project).compactMap {
        $0.at("message.notification.body")?.string
      }.sorted() == ["sarah: 🎤 Sprachnachricht", "sarah: 🎤 Voice message"]
    )
  }

  @Test func `a push opens the web app, and shows a photo unless previews are hidden`()
    async throws
  {
    let scene = try Scene(["WEB_APP_URL": "HTTPS://chat.example/app/"])
    try await scene.writePeople(["sarah", "marco", "lea"])
    try await scene.write(#"{"users/lea":{"notificationPreview":false}}"#)
    let photo = Scene.message("Look").with(["mediaURL": .string("https://x.example/a.jpg?t=1")])
    try await scene.write(["ü m#1": photo])
    try await scene.deliver([scene.created("ü m#1", photo)])
    let pushes = try await scene.emulator.pushes(project: scene.project).sorted {
      ($0["token"]?.string ?? "") < ($1["token"]?.string ?? "")
    }
    #expect(
      pushes.map { $0.at("message.notification.image") }
        == [nil, .string("https://x.example/a.jpg?t=1")]
    )
    let link = "https://chat.example/app/conversations/c?message=%C3%BC%20m%231"
    #expect(
      pushes.map { $0.at("message.webpush.fcm_options.link") } == [.string(link), .string(link)]
    )
    #expect(pushes.first?.at("message.webpush.notification.tag") == .string("ü m#1"))
  }

  @Test func `hostile names become one line of text`() async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    let name = "%@\n\u{202E}{\"a\":1}\u{0}<b>" + String(repeating: "👩‍👩‍👧‍👦", count: 4_000)
    try await scene.emulator.write(
      .object([
        ByteKey(Scene.conversation): .object([
          "type": .string("group"), "name": .string(name),
          "participants": .array([.string("sarah"), .string("marco")]),
        ]),
        "users/sarah": .object(["displayName": .string("S\r\n\u{2066}arah")]),
      ]),
      project: scene.project
    )
    try await scene.write(["m": Scene.message()])
    try await scene.deliver([scene.created("m", Scene.message())])
    let push = try #require(try await scene.emulator.pushes(project: scene.project).first)
    let title = try #require(push.at("message.notification.title")?.string)
    #expect(title.hasPrefix("%@ {\"a\":1} <b>👩‍👩‍👧‍👦"))
    #expect(title.hasSuffix("👩‍👩‍👧‍👦…"))
    #expect(title.utf8.count <= 200)
    #expect(push.at("message.notification.body") == .string("S arah: Hello"))
  }

  // MARK: Bad input

  @Test(arguments: [
    #"{"users/marco":{"primaryLanguage":["it"],"fcmToken":7,"fcmTokens":"x","displayName":{}}}"#,
    #"{"users/marco/devices/d0":{"fcmToken":["marco-0"]}}"#,
    #"{"users/marco/devices/d0":{"fcmToken":""}}"#, #"{"users/marco/inbox/c":{"unread":[1]}}"#,
    #"{"users/sarah":{"displayName":7,"primaryLanguage":null}}"#,
    """
    {"conversations/c": {"type": 7, "name": ["x"], "settings": [], "joinedAt": {"ana": "now"},
      "languageOverrides": 7, "participantLanguages": [],
      "participants": ["sarah", "marco", "marco", 7, null, "", "a/b", "lea", "lea"],
      "lastMessage": 7, "lastMessageId": [], "lastMessageAt": "today"}}
    """,
  ])
  func `documents of the wrong shape cost no other reader a push`(documents: String) async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco", "lea"])
    try await scene.write(documents)
    try await scene.write(["m": Scene.message()])
    let results = try await scene.deliver([scene.created("m", Scene.message())])
    #expect(results.statuses == ["ok"], Comment(rawValue: results.first?.text ?? ""))
    let rung = try await scene.rung()
    #expect(rung.filter { $0 == "lea-0" }.count == 1)
    #expect(rung.filter { $0 == "marco-0" }.count <= 1)
    #expect(try await scene.unread("marco") == 1)
    #expect(try await scene.fields(Scene.conversation)?["lastMessageId"] == .string("m"))
  }

  @Test func `a phone's wrong clock orders only equal times, and an invalid time orders nothing`()
    async throws
  {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    let time = { (text: String) in JSONValue.object(["timestampValue": .string(text)]) }
    let messages = [
      "a": Scene.message(minute: 1).with(["clientTimestamp": time("2099-01-01T00:00:00Z")]),
      "b": Scene.message(minute: 2).with(["clientTimestamp": time("1971-01-01T00:00:00Z")]),
      "c": Scene.message(minute: 2).with(["clientTimestamp": time("1970-01-01T00:00:00Z")]),
      "d": Scene.message(minute: 2).with(["clientTimestamp": .string("tomorrow")]),
      "e": Scene.message().with(["timestamp": .null]),
      "f": Scene.message().with(["timestamp": .string("2099-01-01T00:00:00Z")]),
    ]
    try await scene.write(messages)
    let results = try await scene.deliver(messages.sorted { $0.key < $1.key }.map(scene.created))
    #expect(results.statuses == Array(repeating: "ok", count: messages.count))
    #expect(try await scene.rung().count == messages.count)
    #expect(try await scene.fields(Scene.conversation)?["lastMessageId"] == .string("b"))
  }

  // MARK: Messages that are sent twice

  @Test func `a message that was sent twice is pushed and counted once`() async throws {
    let scene = try Scene()
    try await scene.writePeople(["sarah", "marco"])
    let message = Scene.message().with(["clientId": .string("k")])
    let again = Scene.message(minute: 1).with(["tempId": .string("k")])
    try await scene.write(["m1": message, "m2": again])
    let events = [scene.created("m1", message), scene.created("m2", again)]
    let results = try await scene.deliver(events + events, workers: 4)
    #expect(results.allSatisfy { $0["exitCode"] == .integer(0) })
    #expect(results.statuses.filter { $0 == "ok" }.count == 1)
    #expect(try await scene.rung() == ["marco-0"])
    #expect(try await scene.unread("marco") == 1)
    #expect(try await scene.fields(Scene.conversation)?["lastMessageId"] == .string("m2"))

    // The ledger's record is two days old now: records live seven days, and this one has five left.
    // A repeated client ID means the same message only for one day.
    let name = try await ledgerName(scene)
    try await scene.write(
      """
      {"\(name)": {"function": "sendNotification", "complete": true,
        "document": "\(Scene.path("m1"))", "devices": {},
        "expiresAt": {"timestampValue": "\(Timestamp.now.advanced(by: .seconds(5 * 86_400)))"}}}
      """
    )
    let other = Scene.message(minute: 2_000).with(["clientId": .string("k")])
    try await scene.write(["m3": other])
    let later = scene.created("m3", other)
    #expect(try await scene.deliver([later, later]).statuses == ["ok", "skipped"])
    #expect(try await scene.rung() == ["marco-0", "marco-0"])
    #expect(try await scene.unread("marco") == 2)
  }

  /// Returns the path of the only document in the ledger.
  private func ledgerName(_ scene: NotificationScene) async throws -> String {
    let ledgers = try await scene.emulator.collection("functionEvents", project: scene.project)
    #expect(ledgers.count == 1)
    let id = ledgers.first?["name"]?.string?.split(separator: "/").last
    return "functionEvents/\(id ?? "")"
  }
}
