import Core
import Synchronization
import TestKit
import Testing

/// The cached translation of a text after its message is edited or deleted.
///
/// The cache counts the uses of each translation.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct TextReleaseTests {
  private let first = "Thank you so much!"
  private let second = "Happy birthday!"

  private func scene(_ changes: [String: String] = [:]) async throws -> TranslationScene {
    let scene = try TranslationScene(changes)
    try await scene.write(TranslationScene.pair)
    return scene
  }

  /// Sends a message and runs translateMessage on it.
  ///
  /// - Returns: the translated message.
  private func translated(
    _ id: String,
    _ text: String,
    in scene: TranslationScene
  ) async throws -> JSONValue {
    try await scene.send(id, text)
    #expect(try await scene.run(scene.event(id)).status == "ok")
    return try await scene.document(id)
  }

  @Test func `an edit replaces the text's cache entry, and a deletion removes it`()
    async throws
  {
    let scene = try await scene()
    let before = try await translated("m1", first, in: scene)
    #expect(try await scene.cache() == [first: 1])
    try await scene.edit("m1", to: second)
    let edited = try await scene.event("m1", from: before)
    #expect(try await scene.run(edited).status == "ok")
    #expect(try await scene.cache() == [second: 1])
    #expect(try await scene.fields("m1")?.at("translations.it")?.string == "Buon compleanno!")

    let after = try await scene.document("m1")
    try await scene.delete(TranslationScene.path("m1"))
    let deleted = try await scene.event("m1", from: after)
    let run = try await scene.run(deleted)
    #expect((run.status, run.result?["released"]) == ("ok", .integer(1)))
    #expect(try await scene.cache() == [:])
    for event in [edited, deleted] {
      let again = try await scene.run(event)
      #expect((again.status, again.reason) == ("skipped", "the message no longer exists"))
      #expect(again.writes == [])
    }
  }

  @Test func `an entry stays while another message has the same text`() async throws {
    let scene = try await scene()
    let one = try await translated("m1", first, in: scene)
    let other = try await translated("m2", first, in: scene)
    #expect(try await scene.cache() == [first: 2])
    try await scene.delete(TranslationScene.path("m1"))
    let deleted = try await scene.event("m1", from: one)
    // A second delivery, even with another event ID, releases the same use only once.
    for _ in 0..<2 { _ = try await scene.run(deleted) }
    _ = try await scene.run(scene.event("m1", from: one))
    #expect(try await scene.cache() == [first: 1])
    try await scene.delete(TranslationScene.path("m2"))
    _ = try await scene.run(scene.event("m2", from: other))
    #expect(try await scene.cache() == [:])
  }

  @Test func `late and repeated events release each use once`() async throws {
    let scene = try await scene()
    _ = try await translated("m2", first, in: scene)
    let before = try await translated("m1", first, in: scene)
    try await scene.edit("m1", to: second)
    let between = try await scene.document("m1")
    let away = try await scene.event("m1", from: before)
    try await scene.edit("m1", to: first)
    let back = try await scene.event("m1", from: between)
    // The message has its first text again, with its translation, so its use hasn't ended.
    for event in [away, back, away] {
      #expect(try await scene.run(event).reason == "the message has all translations already")
      #expect(try await scene.cache() == [first: 2])
    }

    let again = try await scene.document("m1")
    try await scene.edit("m1", to: second)
    let gone = try await scene.event("m1", from: again)
    for event in [gone, away, gone] {
      _ = try await scene.run(event)
      #expect(try await scene.cache() == [first: 1, second: 1])
    }
    // Writing the text once more is a new use.
    let last = try await scene.document("m1")
    try await scene.edit("m1", to: first)
    _ = try await scene.run(scene.event("m1", from: last))
    for event in [away, gone] { _ = try await scene.run(event) }
    #expect(try await scene.cache() == [first: 2])
  }

  @Test
  func `an entry is released even if the provider is down, translation off and the reader deleted`()
    async throws
  {
    var scene = try await scene()
    let message = try await translated("m1", first, in: scene)
    try await scene.write(#"{"users/sarah":{"aiOptOut":true}}"#)
    for path in ["conversations/c", "users/marco", TranslationScene.path("m1")] {
      try await scene.delete(path)
    }
    // Nothing can listen on port 1: the port is reserved (RFC 6335) and needs privileges.
    scene.environment["TRANSLATION_BASE_URL"] = "http://127.0.0.1:1"
    #expect(try await scene.run(scene.event("m1", from: message)).status == "ok")
    #expect(try await scene.cache() == [:])
  }

  @Test func `an entry with many uses stays`() async throws {
    let scene = try await scene()
    let message = try await translated("m1", first, in: scene)
    let entries = try await scene.emulator.collection("translations", project: scene.project)
    let key = try #require(entries.first?["name"]?.string?.split(separator: "/").last)
    let path = "/translations/\(key)?updateMask.fieldPaths=usageCount"
    let answer = try await scene.emulator.request(
      "PATCH",
      "firestore",
      scene.emulator.documents(path, project: scene.project),
      json: #"{"fields":{"usageCount":{"integerValue":"17"}}}"#
    )
    #expect(answer.status == 200)
    try await scene.delete(TranslationScene.path("m1"))
    let run = try await scene.run(scene.event("m1", from: message))
    #expect((run.reason, run.writes) == ("the message no longer exists", []))
    #expect(try await scene.cache() == [first: 17])
  }

  @Test func `a forged claim on others' uses releases one at most`() async throws {
    let scene = try await scene()
    for id in ["m1", "m2", "m3"] { _ = try await translated(id, first, in: scene) }
    #expect(try await scene.cache() == [first: 3])
    let entries = zip(["it", "IT", "it_IT"], 1...).map { code, second in
      """
      "\(code)": {"textHash": "3df428d4b65d964dbb4847d0df87dd04da5b545cf7063ed563c50cdd3aab13d5",
        "at": {"timestampValue": "2025-10-21T10:00:0\(second)Z"}}
      """
    }
    let claim = """
      {"\(TranslationScene.path("m4"))": {"senderId": "sarah", "text": "\(first)", "language": "en",
        "translationMeta": {\(entries.joined(separator: ","))}}}
      """
    // In the first round, a client creates the message with the claim, so no function has counted a
    // use. In the second round, a client adds the claim to an existing message. A function may have
    // counted the use of that message.
    for count in [3, 2] {
      if count == 2 { try await scene.send("m4", first) }
      try await scene.write(claim)
      let claimed = try await scene.document("m4")
      try await scene.delete(TranslationScene.path("m4"))
      _ = try await scene.run(scene.event("m4", from: claimed))
      #expect(try await scene.cache() == [first: count])
    }
  }

  @Test func `a language set by an edit is the client's, whatever was detected before`()
    async throws
  {
    let scene = try await scene()
    try await scene.write(
      #"{"conversations/c/messages/m1":{"senderId":"sarah","text":"\#(first)"}}"#
    )
    #expect(try await scene.run(scene.event("m1")).status == "ok")
    let found = try await scene.fields("m1")
    #expect((found?["language"], found?["languageSource"]) == (.string("en"), .string("detected")))
    #expect(found?.at("translationMeta.it.source") == .string("en"))
    // The words exist in German and in English, which is the sender's language.
    for text in ["Gift", "Rat"] {
      let before = try await scene.document("m1")
      try await scene.edit("m1", to: text, language: "de")
      let run = try await scene.run(scene.event("m1", from: before))
      #expect(run.result?["sourceLang"] == .string("de"), "\(run.line.text)")
      let fields = try await scene.fields("m1")
      #expect(fields?["language"] == .string("de"))
      #expect(fields?["languageSource"] == .string("client"))
      #expect(fields?.at("translationMeta.it.source") == .string("de"))
      #expect(try await scene.cache() == [text: 1])
    }
  }

  @Test func `an edit to a text without words removes the former text's translations`()
    async throws
  {
    let scene = try await scene()
    let before = try await translated("m1", first, in: scene)
    try await scene.edit("m1", to: "👍")
    let run = try await scene.run(scene.event("m1", from: before))
    #expect(run.reason == "the text has nothing to translate")
    let fields = try await scene.fields("m1")
    #expect(fields?["translations"] == .object([:]))
    #expect(fields?["translationMeta"] == .object([:]))
    #expect(try await scene.cache() == [:])
  }

  @Test func `the translation of an edited text isn't stored, and its cache entry stays unused`()
    async throws
  {
    var scene = try await scene()
    let (edited, second) = (scene, second)
    try await scene.send("m1", first)
    let before = try await scene.document("m1")
    let edit = Mutex("")
    let provider = try SlowProvider {
      try await edited.edit("m1", to: second)
      let event = try await edited.event("m1", from: before)
      edit.withLock { $0 = event }
    }
    defer { provider.server.stop() }
    scene.environment.merge(provider.environment) { $1 }
    #expect(try await scene.run(scene.event("m1")).status == "ok")
    #expect(try await scene.fields("m1")?.at("translations.it")?.string == "IT \(second)")
    #expect(try await scene.cache() == [first: nil, second: 1])
    _ = try await scene.run(edit.withLock(\.self))
    #expect(provider.calls == 2)
    // A cached translation lives an hour if it is unused, and a month if it is used.
    let lifetimes = try await scene.emulator.collection("translations", project: scene.project)
      .map { ($0["fields"] ?? .null).plainFields["ttl"]?.integer }
    #expect(Set(lifetimes) == [3_600, 2_592_000])
    try await scene.send("m2", first)
    #expect(try await scene.run(scene.event("m2")).line.at("usage.cacheHits") == .integer(1))
    #expect(try await scene.cache() == [first: 1, second: 1])
    let entries = try await scene.emulator.collection("translations", project: scene.project)
    #expect(
      entries.allSatisfy { ($0["fields"] ?? .null).plainFields["ttl"] == .integer(2_592_000) }
    )
  }

  @Test func `a translation failure is forgotten with its text`() async throws {
    let server = try LoopbackServer(answers: [
      .init(400, #"{"error":{"code":400,"message":"Bad","errors":[{"reason":"invalid"}]}}"#)
    ])
    defer { server.stop() }
    let scene = try await scene(["TRANSLATION_BASE_URL": server.url("")])
    try await scene.send("m1", first)
    #expect(try await scene.run(scene.event("m1")).errorCode == "INVALID_ARGUMENT")
    func failures() async throws -> Int {
      try await scene.emulator.collection("translationFailures", project: scene.project).count
    }
    #expect(try await failures() == 1)
    let before = try await scene.document("m1")
    try await scene.delete(TranslationScene.path("m1"))
    _ = try await scene.run(scene.event("m1", from: before))
    #expect(try await failures() == 0)
  }

  @Test
  func `the former text's entry is released after the new text is translated, or fails to be`()
    async throws
  {
    let scene = try await scene()
    var message = try await translated("m1", first, in: scene)
    let asking = scene
    let provider = try SlowProvider {
      let cache = try await asking.cache()
      #expect(cache == [first: 1])
    }
    defer { provider.server.stop() }
    var edited = scene
    edited.environment.merge(provider.environment) { $1 }
    try await scene.edit("m1", to: second)
    #expect(try await edited.run(scene.event("m1", from: message)).status == "ok")
    #expect(provider.calls == 1)
    #expect(try await scene.cache() == [second: 1])

    message = try await scene.document("m1")
    try await scene.edit("m1", to: first)
    let server = try LoopbackServer(answers: [
      .init(400, #"{"error":{"code":400,"message":"Bad","errors":[{"reason":"invalid"}]}}"#)
    ])
    defer { server.stop() }
    edited.environment["TRANSLATION_BASE_URL"] = server.url("")
    let run = try await edited.run(scene.event("m1", from: message))
    #expect(run.errorCode == "INVALID_ARGUMENT")
    #expect(try await scene.cache() == [:])
  }

  /// Returns a provider that, before its first answer, deletes a message and runs the function on
  /// the deletion.
  private func providerDuringWhich(
    _ id: String,
    goesFrom scene: TranslationScene
  ) throws -> SlowProvider {
    try SlowProvider {
      let message = try await scene.document(id)
      try await scene.delete(TranslationScene.path(id))
      _ = try await scene.run(scene.event(id, from: message))
    }
  }

  @Test func `an entry released between a call's read and its use is created again`()
    async throws
  {
    var scene = try await scene()
    _ = try await translated("m1", first, in: scene)
    let provider = try providerDuringWhich("m1", goesFrom: scene)
    defer { provider.server.stop() }
    scene.environment.merge(provider.environment) { $1 }
    try await scene.send("m2", first)
    try await scene.send("m3", second)
    let run = try await scene.run(
      #"{"data":{"conversationId":"c","messageIds":["m2","m3"],"targetLang":"it"},"#
        + #""auth":{"uid":"marco"}}"#
    )
    #expect(run.exitCode == 0, "\(run.line.text)")
    #expect(run.result?.at("messages.m2.translatedText") == .string("IT \(first)"))
    #expect(try await scene.fields("m2")?.at("translations.it") == .string("IT \(first)"))
    #expect(try await scene.cache() == [first: 1, second: 1])
  }

  @Test func `an entry released between its read and its use is created again`() async throws {
    // The provider is asked for French. Meanwhile the Italian translation is released.
    var scene = try await scene()
    _ = try await translated("m1", first, in: scene)
    try await scene.write(
      #"{"users/lea":{"primaryLanguage":"fr"},"#
        + #""conversations/c":{"participants":["sarah","marco","lea"]}}"#
    )
    let provider = try providerDuringWhich("m1", goesFrom: scene)
    defer { provider.server.stop() }
    scene.environment.merge(provider.environment) { $1 }
    try await scene.send("m2", first)
    let run = try await scene.run(scene.event("m2"))
    #expect(run.status == "ok", Comment(rawValue: run.line.text))
    let entries = try await scene.emulator.collection("translations", project: scene.project)
      .map { ($0["fields"] ?? .null).plainFields }
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { $0["usageCount"] == .integer(1) && $0["sourceText"] != nil })
    #expect(
      try await scene.fields("m2")?["translations"]?.object?.keys.sorted() == ["fr", "it"]
    )
  }
}
