import Core
import TestKit
import Testing

/// Translations that a client has put into its message, with the correct hash of the text.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct ForgedTranslationTests {
  /// Sarah's "Thank you so much!" with two forged translations: into Marco's language, Italian, and
  /// into French, which nobody reads.
  private static let forged = """
    {"conversations/c/messages/m1": {"senderId": "sarah", "language": "en",
      "text": "Thank you so much!", "translations": {"it": "FORGED", "fr": "FORGED"},
      "translationMeta": {"it": \(meta), "fr": \(meta)}}}
    """
  private static let meta = """
    {"textHash": "3df428d4b65d964dbb4847d0df87dd04da5b545cf7063ed563c50cdd3aab13d5",
      "engine": "nmt", "at": {"timestampValue": "2025-10-21T10:00:00Z"}}
    """

  private func scene() async throws -> TranslationScene {
    let scene = try TranslationScene()
    try await scene.write(TranslationScene.pair)
    try await scene.write(#"{"users/marco/devices/phone": {"fcmToken": "marco-phone"}}"#)
    return scene
  }

  /// Runs translateMessage on the event, and checks that it has removed the forged translations.
  private func translate(_ event: String, in scene: TranslationScene) async throws {
    let run = try await scene.run(event)
    #expect(run.result?["translated"] == .array([.string("it")]), "\(run.line.text)")
    let fields = try await scene.fields("m1")
    #expect(fields?["translations"] == .object(["it": .string("Grazie mille!")]))
    #expect(fields?["translationMeta"]?.object?.keys.sorted() == ["it"])
    // On the second run, the message has the function's own translation, which the function trusts.
    let again = try await scene.run(event)
    #expect((again.reason, again.writes) == ("the message has all translations already", []))
  }

  @Test func `a forged translation in a new message is replaced`() async throws {
    let scene = try await scene()
    try await scene.write(Self.forged)
    try await translate(scene.event("m1"), in: scene)
  }

  @Test func `a forged translation in an edit is replaced`() async throws {
    let scene = try await scene()
    try await scene.send("m1", "Happy birthday!")
    #expect(try await scene.run(scene.event("m1")).status == "ok")
    let before = try await scene.document("m1")
    try await scene.write(Self.forged)
    try await translate(scene.event("m1", from: before), in: scene)
  }

  @Test func `a forged translation is removed where nothing is translated`() async throws {
    let scene = try await scene()
    try await scene.write(
      #"{"conversations/c":{"participants":["sarah","marco"],"settings":{"translation":false}}}"#
    )
    try await scene.write(Self.forged)
    let run = try await scene.run(scene.event("m1"))
    #expect(run.reason == "translation is off in this conversation")
    #expect(try await scene.fields("m1")?["translations"] == .object([:]))
  }

  @Test func `a push never contains a forged translation`() async throws {
    let scene = try await scene()
    try await scene.write(Self.forged)
    let run = try await runFunction(
      "sendNotification",
      input: scene.event("m1"),
      environment: scene.environment
    )
    #expect(run.status == "ok", "\(run.line.text)")
    let pushes = try await scene.emulator.pushes(project: scene.project)
    #expect(
      pushes.map { $0.at("message.notification.body") } == [.string("Grazie mille!")]
    )
  }
}
