import Core
import FunctionHost
import TestKit
import Testing

/// Answers that functions give without a key and without a network, and the engine that each answer
/// names.
@Suite(.timeLimit(.minutes(10)))
struct EngineTests {
  private static let group = """
    {
      "users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
      "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
      "users/yuki": {"displayName": "Yuki", "primaryLanguage": "ja"},
      "users/marco/devices/d": {"fcmToken": "marco-phone"},
      "users/yuki/devices/d": {"fcmToken": "yuki-phone"},
      "conversations/c1": {"type": "group", "participants": ["sarah", "marco", "yuki"]}
    }
    """

  private func message(_ text: String, language: String = "en") -> String {
    """
    {"conversations/c1/messages/m1": {"senderId": "sarah", "text": "\(text)",
       "language": "\(language)", "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
    """
  }

  @Test func `every function reports which engine answered`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(Self.group)
      try await emulator.write(message("Break a leg at your interview tomorrow!"))
      try await emulator.quiet()

      let rules = JSONValue.array([.string("emulator-rules")])
      let outputs = Dictionary(
        try await emulator.chatDeliveries().map { ($0["function"]?.string ?? "", $0["output"]) }
      ) { first, _ in first }
      #expect(
        outputs["translateMessage"]??.at("usage.engines")
          == .array([.string("phrasebook"), .string("pseudo")])
      )
      #expect(outputs["analyzeMessage"]??.at("usage.engines") == rules)
      // The recipient's engine is the same whether sendNotification translated the text itself or
      // read translateMessage's translation.
      let recipients = outputs["sendNotification"]??.at("result.recipients")?.array ?? []
      #expect(
        Dictionary(recipients.map { ($0["uid"]?.string, $0["engine"]?.string) }) { $1 }
          == ["marco": "phrasebook", "yuki": "pseudo"]
      )

      let fields = try #require(try await emulator.fields(of: "conversations/c1/messages/m1"))
      #expect(fields.at("translationMeta.it.engine") == .string("phrasebook"))
      #expect(fields.at("translationMeta.ja.engine") == .string("pseudo"))
      #expect(
        fields.at("translations.ja") == .string("⟦ja⟧ Break a leg at your interview tomorrow!")
      )
      let analysis = try await emulator.fields(of: "aiAnalysis/m1_it")
      #expect(analysis?["engine"] == .string("emulator-rules"))

      for (function, data) in [
        ("smartReplies", #"{"conversationId":"c1"}"#),
        ("askAI", #"{"conversationId":"c1","query":"Che cosa ha scritto Sarah?"}"#),
      ] {
        let run = try await runFunction(
          function,
          input: #"{"data":\#(data),"auth":{"uid":"marco"}}"#,
          environment: emulator.environment()
        )
        #expect(run.line.at("usage.engines") == rules, Comment(rawValue: run.line.text))
        #expect(run.result?["engine"] == .string("emulator-rules"))
      }
    }
  }

  /// Functions replace a time, a link or a mention by a placeholder before they translate a text. A
  /// variable part of a phrasebook's phrase matches such a placeholder.
  @Test(arguments: [
    ("See you at 8, Marco!", "Ci vediamo alle 8, Marco!"),
    ("See you at 19:30, Marco! 😊", "Ci vediamo alle 19:30, Marco! 😊"),
    ("See you at 7:30pm, @marco!", "Ci vediamo alle 7:30pm, @marco!"),
    ("Hi @marco! My phone is at 3%", "Ciao, @marco! Il mio telefono è al 3%."),
    ("It costs 12,50 euros.", "Costa 12,50 euro."),
    ("I'll be there in 15 minutes.", "Arrivo tra 15 minuti."),
  ])
  func `a phrase's slots take times, links and mentions`(
    text: String,
    translation: String
  ) async throws {
    try await withEmulator("--no-triggers") { emulator in
      let call = JSONValue.object([
        "text": .string(text), "sourceLang": .string("en"), "targetLang": .string("it"),
      ])
      let run = try await runFunction(
        "translateMessage",
        input: call.text,
        environment: emulator.environment()
      )
      #expect(run.result?["translatedText"] == .string(translation))
      #expect(run.result?["engine"] == .string("phrasebook"))
    }
  }

  @Test func `the engine pseudo marks every text`() async throws {
    try await withEmulator("--no-triggers", "--translator", "pseudo") { emulator in
      let run = try await runFunction(
        "translateMessage",
        input: #"{"text":"Thank you!","sourceLang":"en","targetLang":"it"}"#,
        environment: emulator.environment()
      )
      #expect(run.result?["translatedText"] == .string("⟦it⟧ Thank you!"))
      #expect(run.result?["engine"] == .string("pseudo"))
    }
  }

  @Test(arguments: [
    ([], "phrasebook, else pseudo; emulator-rules"),
    (["--translator", "pseudo"], "pseudo; emulator-rules"),
    (
      ["--translator", "apertium"],
      "phrasebook, else apertium (es-it), else pseudo; emulator-rules"
    ),
  ])
  func `the start lists the engines`(options: [String], line: String) async throws {
    try await withEmulatorShell { shell in
      try await makeApertium(in: "\(shell.folder)/apertium")
      let output = try await shell.emulator(
        ["exec"] + shell.options + options + ["--", "true"],
        environment: ["APERTIUM_DATADIR": "\(shell.folder)/apertium"]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(
        output.errorText.contains("  Engines         \(line)\n"),
        Comment(rawValue: output.errorText)
      )
    }
  }

  @Test func `without Apertium its flag is refused, and the packages are named`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(
        ["start"] + shell.options + ["--translator", "apertium"],
        environment: ["APERTIUM_DATADIR": "/nowhere"]
      )
      #expect(output.exitCode == 1)
      #expect(
        output.errorText.hasPrefix("emulator: --translator apertium: Apertium is not installed")
      )
      #expect(output.errorText.contains("apertium-eng-spa"))
    }
  }

  /// Creates an Apertium folder whose program returns its input unchanged.
  private func makeApertium(in folder: String) async throws {
    try await makeFile("\(folder)/program", "#!/bin/sh\nexec cat\n", isExecutable: true)
    try await makeFile("\(folder)/modes/spa-ita.mode", "'\(folder)/program' $1")
  }

  @Test func `Apertium translates what the phrasebook doesn't have, and ends with the emulator`()
    async throws
  {
    try await withTemporaryFolder { folder in
      try await makeApertium(in: folder)
      let environment = ["APERTIUM_DATADIR": folder]
      // If Apertium's process outlives the emulator, `withEmulator` fails.
      try await withEmulator("--translator", "apertium", environment: environment) { emulator in
        try await emulator.write(Self.group)
        try await emulator.write(
          message("Mañana a las 8 en [casa] ^de$ Ana\\nHola!", language: "es")
        )
        try await emulator.quiet()
        let fields = try #require(try await emulator.fields(of: "conversations/c1/messages/m1"))
        #expect(
          fields.at("translations.it") == .string("Mañana a las 8 en [casa] ^de$ Ana\nCiao!")
        )
        #expect(fields.at("translationMeta.it.engine") == .string("apertium+phrasebook"))
        #expect(fields.at("translationMeta.ja.engine") == .string("pseudo"))
        let delivery = try await emulator.deliveries().first {
          $0["function"] == .string("translateMessage")
        }
        #expect(delivery?.at("output.usage.unpricedEngines") == nil)
      }
    }
  }

  @Test func `Apertium ends with an emulator that is killed`() async throws {
    try await withTemporaryFolder { folder in
      try await makeApertium(in: folder)
      let emulator = try await EmulatorProcess.start(
        ["--no-triggers", "--translator", "apertium"],
        functions: nil,
        environment: ["APERTIUM_DATADIR": folder],
        folder: folder
      )
      let run = try await runFunction(
        "translateMessage",
        input: #"{"text":"La casa","sourceLang":"es","targetLang":"it"}"#,
        environment: emulator.environment()
      )
      #expect(run.result?["engine"] == .string("apertium"))
      emulator.process.signal(SIGKILL)
      _ = await emulator.process.exitStatus()
      try await emulator.checkNoProcessIsLeft()
    }
  }
}
