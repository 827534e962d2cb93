import HTTPService
import HTTPTransport
import JSONCoding
import Platform
import RPCStatus
import TestKit
import Testing

/// Messages that want to turn the model against their reader, each through each function: what
/// reaches the model, and what comes of a model that obeys.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct InjectionTests {
  static let functions = ["analyzeMessage", "smartReplies", "askAI"]

  @Test func `there are enough attempts, no two alike`() {
    #expect(Injection.all.count >= 60)
    #expect(Set(Injection.all.map(\.name)).count == Injection.all.count)
    #expect(Set(Injection.all.map(\.text)).count == Injection.all.count)
  }

  @Test(arguments: Injection.all, functions)
  func `an attempt stays data, and what comes of it can't be used`(
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
      // A question stays, to be asked again; its answer doesn't.
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
