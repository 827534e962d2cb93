import Core
import FunctionHost
import TestKit
import Testing

/// Unusual documents that translateMessage reads, and documents that change while it runs.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct TranslationInputTests {
  private let text = "Thank you so much!"
  private let italian = "Grazie mille!"

  private func scene(_ documents: String = TranslationScene.pair) async throws -> TranslationScene {
    let scene = try TranslationScene()
    try await scene.write(documents)
    return scene
  }

  // MARK: The cache

  /// Fields of cached translations that functions must not show.
  static let poisoned = [
    #"{"translatedText":"PLANTED","sourceText":"Another text"}"#,
    #"{"translatedText":"PLANTED\u0000"}"#, #"{"translatedText":"\u001B[2JPLANTED"}"#,
    #"{"translatedText":"\#(String(repeating: "PLANTED ", count: 100_000))"}"#,
    #"{"translatedText":["PLANTED"]}"#, #"{"translatedText":{"it":"PLANTED"}}"#,
    #"{"translatedText":null}"#, #"{"translatedText":""}"#,
    #"{"translatedText":"PLANTED","expiresAt":{"timestampValue":"2001-01-01T00:00:00Z"}}"#,
    #"{"translatedText":"PLANTED","provider":"libretranslate"}"#,
    #"{"translatedText":"PLANTED","provider":7}"#,
  ]

  @Test(arguments: poisoned)
  func `a poisoned entry isn't shown, and is replaced`(fields: String) async throws {
    let scene = try await scene()
    try await scene.send("m0", text)
    _ = try await scene.run(scene.event("m0"))
    let entry = try await scene.emulator.collection("translations", project: scene.project)
      .first?["name"]?.string
    let key = try #require(entry?.split(separator: "/").last)
    let expiry = try json(#"{"timestampValue":"2999-01-01T00:00:00Z"}"#)
    let poison = try #require(try json(fields).object)
    try await scene.emulator.write(
      .object([
        ByteKey("translations/\(key)"): .object(
          ["expiresAt": expiry, "usageCount": .string("many")].merging(poison) { $1 }
        )
      ]),
      project: scene.project
    )
    try await scene.send("m1", text)
    let run = try await scene.run(scene.event("m1"))
    #expect(run.status == "ok", Comment(rawValue: run.line.text))
    #expect(try await scene.fields("m1")?.at("translations.it")?.string == italian)
    #expect(try await scene.cache() == [text: 1])
  }

  // MARK: Changes while the function runs

  @Test func `a message that is deleted while it is translated stays deleted`() async throws {
    var scene = try await scene()
    let deleted = scene
    let provider = try SlowProvider { try await deleted.delete(TranslationScene.path("m1")) }
    defer { provider.server.stop() }
    scene.environment.merge(provider.environment) { $1 }
    try await scene.send("m1", text)
    let run = try await scene.run(scene.event("m1"))
    #expect((run.status, run.reason) == ("skipped", "the message no longer exists"))
    #expect(try await scene.fields("m1") == nil)
  }

  @Test func `an event that is a day late is handled with the message as it is now`() async throws {
    let scene = try await scene()
    try await scene.send("m1", "Good morning!")
    try await scene.send("m2", "Good morning!")
    let (first, second) = (try await scene.event("m1"), try await scene.event("m2"))
    try await scene.edit("m1", to: text)
    try await scene.delete(TranslationScene.path("m2"))
    #expect(try await scene.run(first).status == "ok")
    #expect(try await scene.fields("m1")?.at("translations.it")?.string == italian)
    #expect(try await scene.run(second).reason == "the message no longer exists")
    // No message has the text "Good morning!" now.
    #expect(try await scene.cache() == [text: 1])
  }

  // MARK: The message's language

  @Test func `a language that the client doesn't know is written with the translation`()
    async throws
  {
    let scene = try await scene()
    for (id, fields) in [
      ("none", #"{"senderId":"sarah","text":"See you tomorrow!"}"#),
      ("wrong", #"{"senderId":"sarah","text":"See you tomorrow!","language":"ru"}"#),
      ("right", #"{"senderId":"sarah","text":"See you tomorrow!","language":"EN"}"#),
      ("unknown", #"{"senderId":"sarah","text":"გამარჯობა"}"#),
      ("own", #"{"senderId":"marco","text":"See you tomorrow!"}"#),
    ] {
      try await scene.write(#"{"\#(TranslationScene.path(id))":\#(fields)}"#)
      let run = try await scene.run(scene.event(id))
      #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    }
    func language(_ id: String) async throws -> [String?] {
      let fields = try await scene.fields(id)
      return [fields?["language"]?.string, fields?["languageSource"]?.string]
    }
    #expect(try await language("none") == ["en", "detected"])
    #expect(try await language("wrong") == ["en", "detected"])
    #expect(try await language("right") == ["EN", nil])
    #expect(try await language("unknown") == ["en", "profile"])
    // The message is Marco's. Sarah reads English, so it needs no translation and isn't changed.
    #expect(try await language("own") == [nil, nil])

    // A language that was detected in one text isn't used for another.
    let before = try await scene.document("none")
    try await scene.edit("none", to: "Спасибо большое")
    #expect(try await scene.run(scene.event("none", from: before)).status == "ok")
    #expect(try await language("none") == ["ru", "detected"])
  }

  @Test func `each reader finds the translation by their own code, and it is paid for once`()
    async throws
  {
    let scene = try await scene(
      """
      {
        "users/sarah": {"primaryLanguage": "en"}, "users/a": {"primaryLanguage": "pt"},
        "users/b": {"primaryLanguage": "pt_BR"}, "users/c": {"primaryLanguage": "PT-br"},
        "users/d": {"language": "en-GB"},
        "conversations/c": {"participants": ["sarah", "a", "b", "c", "d", "a"]}
      }
      """
    )
    try await scene.send("m1", text)
    let run = try await scene.run(scene.event("m1"))
    #expect(run.line.at("usage.providerCalls") == .integer(1))
    let translations = try await scene.fields("m1")?["translations"]?.object ?? [:]
    #expect(translations.keys.sorted() == ["PT-br", "pt", "pt_BR"])
    #expect(Set(translations.values.compactMap(\.string)).count == 1)
    #expect(try await scene.cache() == [text: 1])
    let message = try await scene.document("m1")
    try await scene.delete(TranslationScene.path("m1"))
    _ = try await scene.run(scene.event("m1", from: message))
    #expect(try await scene.cache() == [:])
  }

  // MARK: Documents of wrong types

  /// Values of all types, which are wrong for most fields.
  static let values = [
    "null", "true", "7", "1.5", #""x""#, #""""#, #""a/b""#, "[]", #"[7,null,"x",{}]"#, "{}",
    #"{"it":7,"x":{"y":null}}"#, #"{"timestampValue":"0001-01-01T00:00:00Z"}"#,
    #"{"bytesValue":"AA=="}"#, #"{"geoPointValue":{"latitude":1,"longitude":2}}"#,
    #"{"referenceValue":"projects/p/databases/d/documents/a/b"}"#,
  ]

  @Test
  func `no field of any type makes it fail forever, except in a conversation without participants`()
    async throws
  {
    let message = [
      "senderId", "recipientId", "text", "language", "languageSource", "timestamp",
      "clientTimestamp", "readBy", "translations", "translationMeta", "mediaURL",
    ]
    let conversation = [
      "participants", "participantLanguages", "languageOverrides", "settings", "type", "name",
    ]
    let user = ["primaryLanguage", "language", "aiOptOut", "displayName", "fcmTokens"]
    let scene = try await scene()
    let worker = try await WorkerSession("translateMessage", environment: scene.environment)
    for value in Self.values {
      func fields(_ names: [String], _ rest: String = "") -> String {
        "{"
          + (names.map { "\"\($0)\":\(value)" } + [rest]).filter { !$0.isEmpty }
          .joined(separator: ",") + "}"
      }
      let path = TranslationScene.path("m")
      let usual = #"{"senderId":"sarah","text":"Hello","language":"en"}"#
      for (documents, mayRefuse) in [
        (#""\#(path)":\#(fields(message))"#, false),
        (#""\#(path)":\#(fields(message.filter { $0 != "text" }, #""text":"Hello""#))"#, false),
        (#""\#(path)":\#(usual),"conversations/c":\#(fields(conversation))"#, true),
        (
          #""\#(path)":\#(usual),"conversations/c":"#
            + fields(Array(conversation.dropFirst()), #""participants":["sarah","marco"]"#),
          false
        ),
        (#""\#(path)":\#(usual),"users/marco":\#(fields(user)),"users/sarah":{}"#, false),
        (#""\#(path)":\#(usual),"users/sarah":\#(fields(user))"#, false),
      ] {
        try await scene.write(TranslationScene.pair)
        try await scene.write("{\(documents)}")
        try await worker.send(scene.event("m"))
        let result = try #require(try await worker.nextResult())
        let isRefused = mayRefuse && result.at("error.code") == .string("FAILED_PRECONDITION")
        #expect(
          result["exitCode"] == .integer(0) || isRefused,
          "\(documents): \(result.text)"
        )
      }
    }
    #expect(await worker.end() == .exited(0))
  }

  @Test func `without a conversation and users the reason names the conversation`() async throws {
    let scene = try await scene("{}")
    try await scene.send("m1", text)
    let run = try await scene.run(scene.event("m1"))
    #expect(run.reason == "conversations/c doesn't exist")
    #expect(run.writes == [])
  }

  // MARK: Large groups

  /// Sixty languages that the translation provider supports.
  private static let sixty = [
    "af", "sq", "am", "ar", "hy", "az", "eu", "be", "bn", "bs", "bg", "ca", "ceb", "zh-CN", "zh-TW",
    "co", "hr", "cs", "da", "nl", "eo", "et", "fi", "fr", "fy", "gl", "ka", "de", "el", "gu", "ht",
    "ha", "haw", "he", "hi", "hmn", "hu", "is", "ig", "id", "ga", "it", "ja", "jv", "kn", "kk",
    "km", "ko", "ku", "ky", "lo", "lv", "lt", "lb", "mk", "mg", "ms", "ml", "mt", "mi",
  ]

  @Test func `a thousand participants get sixty languages within a commit's limits`()
    async throws
  {
    let scene = try TranslationScene()
    let ids = (0..<999).map { "u\($0)" }
    try await scene.write(
      #"{"users/sarah":{"primaryLanguage":"en"},"conversations/c":{"type":"group","participants":"#
        + JSONValue.array((["sarah"] + ids + ids.prefix(9)).map(JSONValue.string)).text + "}}"
    )
    for start in stride(from: 0, to: ids.count, by: 333) {
      let profiles = ids[start..<start + 333].enumerated().map { index, id in
        let code = Self.sixty[(start + index) % Self.sixty.count]
        // In each third, one member has no profile.
        return index == 7 ? ("users/\(id)x", "{}") : ("users/\(id)", #"{"language":"\#(code)"}"#)
      }
      try await scene.write(
        "{" + profiles.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      )
    }
    try await scene.send("m1", text)
    let run = try await scene.run(scene.event("m1"))
    #expect(run.status == "ok", Comment(rawValue: run.line.text))
    #expect(Self.sixty.count == 60)
    let languages = try await scene.fields("m1")?["translations"]?.object?.keys.map(\.string)
      .sorted()
    #expect(languages == Self.sixty.sorted())
    #expect(run.result?["skippedReaders"]?.array?.count == 3)
    // One write is the message, and sixty are cached translations.
    #expect(run.writes.count == 61)
    #expect(run.line.at("usage.providerCalls") == .integer(60))
  }

  @Test func `fifty messages are translated after a change of language, and no others`()
    async throws
  {
    let scene = try await scene()
    let ids = (0..<45).map { "m\($0)" }
    for id in ids { try await scene.send(id, id == "m7" ? "👍" : text) }
    try await scene.write(
      #"{"conversations/others":{"participants":["lea"]},"#
        + #""conversations/others/messages/secret":{"senderId":"lea","text":"PLANTED"}}"#
    )
    let foreign = ["secret", "unknown", "m45", "__x", "m0"]
    let call = JSONValue.object([
      "data": .object([
        "conversationId": .string("c"), "targetLang": .string("fr"),
        "messageIds": .array((ids + foreign).map(JSONValue.string)),
      ]),
      "auth": .object(["uid": .string("marco")]),
    ])
    let run = try await scene.run(call.text)
    #expect(run.status == "ok", Comment(rawValue: run.line.text))
    let answers = run.result?["messages"]?.object ?? [:]
    #expect(answers.keys.map(\.string).sorted() == ids.sorted())
    #expect(answers["m7"]?["reason"]?.string == "the text has nothing to translate")
    #expect(!run.line.text.contains("PLANTED"))
    #expect(run.line.at("usage.providerCalls") == .integer(1))
    for id in ids where id != "m7" {
      #expect(
        try await scene.fields(id)?.at("translations.fr")?.string == "Merci beaucoup !"
      )
    }
    // On the second call, all messages have their translations.
    let again = try await scene.run(call.text)
    #expect(again.writes == [])
    #expect(again.result == run.result)
  }
}
