import Core
import Cryptography
import TestKit
import Testing

/// Cache entries under the keys that clients compute from their own language codes.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct CacheCopyTests {
  private let text = "Thank you so much!"

  private func scene(readers: [String: String]) async throws -> TranslationScene {
    let scene = try TranslationScene()
    var documents: JSONObject = [
      "users/sarah": try json(#"{"primaryLanguage":"en"}"#),
      "conversations/c": .object([
        "participants": .array((["sarah"] + readers.keys.sorted()).map(JSONValue.string))
      ]),
    ]
    for (uid, code) in readers {
      documents[ByteKey("users/\(uid)")] = .object(["primaryLanguage": .string(code)])
    }
    try await scene.emulator.write(.object(documents), project: scene.project)
    return scene
  }

  private func path(_ codes: String) -> String {
    "translations/\(SHA256.hexadecimal("\(text)|\(codes)".utf8))"
  }

  private func fields(_ codes: String, in scene: TranslationScene) async throws -> JSONValue? {
    try await scene.emulator.fields(of: path(codes), project: scene.project)
  }

  private func call(_ data: String, by uid: String, in scene: TranslationScene) async throws
    -> FunctionRun
  {
    try await scene.run(#"{"data":\#(data),"auth":{"uid":"\#(uid)"}}"#)
  }

  @Test func `each client finds the entry that served its reader, and it is paid for once`()
    async throws
  {
    let scene = try await scene(readers: ["a": "pt", "b": "pt-BR", "c": "pt_br"])
    try await scene.send("m1", text)
    let run = try await scene.run(scene.event("m1"))
    #expect(run.line.at("usage.providerCalls") == .integer(1))
    #expect(run.writes.count { $0.hasPrefix("translations/") } == 3)
    let entry = try #require(try await fields("en|pt", in: scene))
    #expect(entry["usageCount"] == .integer(1))
    #expect(entry["copies"] == .array([.string("en|pt-BR"), .string("en|pt_br")]))
    for code in ["pt-BR", "pt_br"] {
      let copy = try #require(try await fields("en|\(code)", in: scene))
      #expect(copy["usageCount"] == nil)
      #expect(copy["copies"] == nil)
      for name in ["sourceText", "translatedText", "engine", "ttl", "createdAt", "expiresAt"] {
        #expect(copy[name] != nil, "\(name)")
        #expect(copy[name] == entry[name], "\(name)")
      }
      #expect(copy["timestamp"] == entry["createdAt"])
      #expect(copy["sourceLanguage"] == .string("en"))
      for name in ["targetLang", "targetLanguage"] { #expect(copy[name] == .string(code)) }
    }

    // Further messages only count their uses.
    try await scene.send("m2", text)
    let again = try await scene.run(scene.event("m2"))
    #expect(again.writes == [TranslationScene.path("m2"), path("en|pt")])
    #expect(again.line.at("usage.cacheHits") == .integer(1))
    #expect(try await fields("en|pt", in: scene)?["usageCount"] == .integer(2))

    // The copies go with the entry, after its last use.
    for (id, rest) in [("m1", 3), ("m2", 0)] {
      let message = try await scene.document(id)
      try await scene.delete(TranslationScene.path(id))
      _ = try await scene.run(scene.event(id, from: message))
      let entries = try await scene.emulator.collection("translations", project: scene.project)
      #expect(entries.count == rest)
    }
  }

  @Test func `a later message with other codes adds its copy to the entry`() async throws {
    let scene = try await scene(readers: ["a": "pt"])
    try await scene.send("m1", text)
    #expect(try await scene.run(scene.event("m1")).writes.count == 2)
    #expect(try await fields("en|pt", in: scene)?["copies"] == nil)
    try await scene.write(
      #"{"\#(TranslationScene.path("m2"))":"#
        + #"{"senderId":"sarah","text":"\#(text)","language":"en_US"}}"#
    )
    #expect(try await scene.run(scene.event("m2")).status == "ok")
    #expect(
      try await fields("en|pt", in: scene)?["copies"] == .array([.string("en_US|pt")])
    )
    #expect(try await fields("en_US|pt", in: scene)?["sourceLang"] == .string("en_US"))
    #expect(try await scene.cache() == [text: 2])
  }

  @Test func `a batch and a call for a text copy the entry as well`() async throws {
    let scene = try await scene(readers: ["marco": "it"])
    for id in ["m1", "m2"] { try await scene.send(id, text) }
    let batch = try await call(
      #"{"conversationId":"c","messageIds":["m1","m2"],"targetLang":"pt-BR"}"#,
      by: "marco",
      in: scene
    )
    #expect(batch.line.at("usage.providerCalls") == .integer(1))
    #expect(try await fields("en|pt-BR", in: scene)?["targetLang"] == .string("pt-BR"))
    // The batch's first use extended the entry's life, and the copy has the same.
    #expect(try await fields("en|pt-BR", in: scene)?["ttl"] == .integer(2_592_000))
    #expect(
      try await fields("en|pt-BR", in: scene)?["expiresAt"]
        == fields("en|pt", in: scene)?["expiresAt"]
    )
    for (source, target, writes) in [
      ("en-GB", "pt_BR", 2), ("en-GB", "pt_BR", 1), ("auto", "PT", 2),
    ] {
      let run = try await call(
        #"{"text":"\#(text)","sourceLang":"\#(source)","targetLang":"\#(target)"}"#,
        by: "marco",
        in: scene
      )
      #expect(run.line.at("usage.cacheHits") == .integer(1))
      #expect(run.writes.count == writes, "\(run.line.text)")
    }
    let entry = try await fields("en|pt", in: scene)
    #expect(
      entry?["copies"]?.array?.compactMap(\.string) == ["en|pt-BR", "en-GB|pt_BR", "en|PT"]
    )
    #expect(entry?["usageCount"] == .integer(5))
    #expect(try await fields("en|PT", in: scene)?["translatedText"] == entry?["translatedText"])
  }

  @Test func `an entry that is replaced loses the copies of the former one`() async throws {
    let scene = try await scene(readers: ["a": "pt-BR"])
    try await scene.send("m1", text)
    _ = try await scene.run(scene.event("m1"))
    try await scene.write(
      #"{"users/a":{"primaryLanguage":"pt_BR"},"\#(path("en|pt"))":"#
        + #"{"sourceText":"\#(text)","translatedText":"Velho","copies":["en|pt-BR","en|it",7],"#
        + #""expiresAt":{"timestampValue":"2001-01-01T00:00:00Z"}},"#
        + #""\#(path("en|it"))":{"sourceText":"\#(text)"}}"#
    )
    try await scene.send("m2", text)
    #expect(try await scene.run(scene.event("m2")).line.at("usage.providerCalls") == .integer(1))
    #expect(try await fields("en|pt-BR", in: scene) == nil)
    #expect(try await fields("en|pt_BR", in: scene) != nil)
    #expect(try await fields("en|pt", in: scene)?["copies"] == .array([.string("en|pt_BR")]))
    // A list can't name another entry.
    #expect(try await fields("en|it", in: scene) != nil)
  }

  @Test func `a list that names other entries deletes none of them`() async throws {
    let scene = try await scene(readers: ["a": "pt-BR"])
    try await scene.send("m1", text)
    _ = try await scene.run(scene.event("m1"))
    let list = [
      "en|pt", "en|it", "../users/sarah", "|", "en|pt-BR", "en|pt-BR|x",
    ]
    let target = scene.emulator.documents(
      "/\(path("en|pt"))?updateMask.fieldPaths=copies",
      project: scene.project
    )
    let fields = JSONValue.object(["copies": .array(list.map(JSONValue.string))])
    let answer = try await scene.emulator.request(
      "PATCH",
      "firestore",
      target,
      json: JSONValue.object(["fields": fields.firestoreFields]).text
    )
    #expect(answer.status == 200)
    try await scene.write(#"{"\#(path("en|it"))":{"sourceText":"\#(text)"}}"#)
    let message = try await scene.document("m1")
    try await scene.delete(TranslationScene.path("m1"))
    let run = try await scene.run(scene.event("m1", from: message))
    #expect(run.result?["released"] == .integer(1), "\(run.line.text)")
    let left = try await scene.emulator.collection("translations", project: scene.project)
    #expect(left.count == 1)
    #expect(try await self.fields("en|it", in: scene) != nil)
  }

  @Test func `forgetting a user deletes the copies of their texts`() async throws {
    let scene = try await scene(readers: ["a": "pt-BR"])
    try await scene.send("m1", text)
    _ = try await scene.run(scene.event("m1"))
    let run = try await runFunction(
      "forgetUser",
      input: #"{"data":{"uid":"sarah"},"auth":{"uid":"sarah"}}"#,
      environment: scene.environment
    )
    #expect(run.result?["translations"] == .integer(2), "\(run.line.text)")
    let left = try await scene.emulator.collection("translations", project: scene.project)
    #expect(left.isEmpty)
  }
}
