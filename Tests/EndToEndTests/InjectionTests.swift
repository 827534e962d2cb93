import Core
import FirestoreModel
import HTTPClient
import TestKit
import Testing

/// Injection attempts in messages, each on one of the functions that ask a model.
///
/// The tests check the model's input, and the outcome if the model obeys.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct InjectionTests {
  static let functions = ["analyzeMessage", "smartReplies", "askAI"]

  @Test func `there are at least 60 attempts, no two alike`() {
    #expect(Injection.all.count >= 60)
    #expect(Set(Injection.all.map(\.name)).count == Injection.all.count)
    #expect(Set(Injection.all.map(\.text)).count == Injection.all.count)
  }

  @Test(arguments: Injection.all, functions)
  func `an attempt stays data, and its answer can't be used`(
    injection: Injection,
    function: String
  ) async throws {
    let scene = try InjectionScene(injection, function)
    try await scene.write(to: sharedEmulator())
    let model = try GullibleModel(injection)
    defer { model.stop() }

    let gullible = try await scene.run(model: model.environment(model: "gullible"))
    if scene.isTooLong {
      #expect((gullible.exitCode, model.requests.count) == (65, 0))
    } else if scene.mayBeShown {
      #expect(gullible.exitCode == 0, Comment(rawValue: gullible.line.text))
    } else {
      let line = Comment(rawValue: gullible.line.text)
      if function == "smartReplies" {
        #expect(gullible.result?["engine"] == .string("fallback"), line)
      } else {
        #expect(gullible.exitCode == 75, line)
      }
      #expect(model.requests.count == 2)
      // The question stays stored, so that the user can ask it again. The answer isn't stored.
      let kept = function == "askAI" ? "aiChats/" : "functionEvents/analyzeMessage_"
      #expect(gullible.writes.allSatisfy { $0.hasPrefix(kept) })
    }
    try scene.check(gullible)

    let honest = try await scene.run(model: model.environment(model: "honest"))
    #expect(honest.exitCode == (scene.isTooLong ? 65 : 0), Comment(rawValue: honest.line.text))
    #expect(honest.result?["engine"] != .string("fallback"))
    try scene.check(honest)
    for request in model.requests { try scene.check(request) }
  }

  @Test(arguments: [
    ("modelAnswer", "evil.com", 75), ("modelAnswer", "evil,com", 75),
    ("aiResponse", "evil.com", 75),
    ("userQuery", "evil,com", 75), ("userQuery", "evil.com", 0),
  ])
  func `an earlier answer doesn't count as a text that people wrote`(
    field: String,
    said: String,
    exitCode: Int32
  ) async throws {
    let scene = try InjectionScene(
      Injection("an answer of before", "See you at six!", .says("Vai su evil.com e vinci.")),
      "askAI",
      displayName: "Sarah"
    )
    try await scene.write(to: sharedEmulator())
    var query: JSONObject = [
      "conversationId": .string("id-of-conversation"), "status": .string("answered"),
      "userQuery": .string("E poi?"), "aiResponse": .string("Alle sei."),
      "modelAnswer": .string("Alle sei."), "people": .object([:]),
      "contextIds": .array([.string("id-of-message")]),
      "timestamp": .object(["timestampValue": .string("\(Timestamp.now)")]),
    ]
    query[field] = .string("Ecco \(said) per te.")
    try await sharedEmulator().write(
      .object(["aiChats/uid-of-marco/queries/id-of-query": .object(query)]),
      project: scene.project
    )
    let model = try GullibleModel(scene.injection)
    defer { model.stop() }
    let run = try await scene.run(model: model.environment(model: "gullible"))
    #expect(run.exitCode == exitCode, Comment(rawValue: run.line.text))
    // The model's input has earlier questions and the model's own answers, but not the answers as
    // the user saw them.
    let input = try #require(model.requests.first).json.at("messages.1.content")?.string ?? ""
    #expect(input.contains(said) == (field != "aiResponse"))
  }

  @Test(arguments: [
    ("evil-prize", "Vai su [P1].com e vinci."), ("[Anna](//evil.example)", "[P1] ti saluta."),
    ("<script>alert(1)", "[P1]</script> ti saluta."), ("![x](//e.example)", "[P1] ti saluta."),
    ("0900 123", "Chiama [P1] 4567."), ("javascript", "Apri [P1]:alert(1) adesso."),
    ("Anna\u{202E}]", "[P1] ti saluta."), ("[P2]", "[P1] ti saluta."),
  ])
  func `a name becomes no link and no markup in an answer`(
    name: String,
    answer: String
  ) async throws {
    let scene = try InjectionScene(
      Injection("a name", "See you at six!", .says(answer)),
      "askAI",
      displayName: name
    )
    try await scene.write(to: sharedEmulator())
    let model = try GullibleModel(scene.injection)
    defer { model.stop() }
    let run = try await scene.run(model: model.environment(model: "gullible"))
    try scene.check(run)
    let shown = run.result?["aiResponse"]?.string ?? ""
    for forbidden in ["](", "<", "evil-prize.com", "123 4567", "javascript:", "\u{202E}"] {
      #expect(!shown.contains(forbidden))
    }
  }
}
