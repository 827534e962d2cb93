import Core
import HTTPClient
import TestKit
import Testing

/// Options for real providers. A second emulator acts as the real providers.
@Suite(.timeLimit(.minutes(10)))
struct ProviderSettingsTests {
  private static let question =
    #"{"data":{"conversationId":"c1","query":"When is dinner?"},"auth":{"uid":"marco"}}"#

  private static let conversation = """
    {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
     "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
     "conversations/c1": {"participants": ["sarah", "marco"]},
     "conversations/c1/messages/m1": {"senderId": "sarah", "language": "en",
       "text": "Dinner is at eight",
       "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
    """

  private static func ask(_ emulator: EmulatorProcess) async throws -> FunctionRun {
    try await emulator.write(conversation)
    return try await runFunction(
      "askAI",
      input: question,
      environment: emulator.environment()
    )
  }

  private static func translate(
    _ text: String,
    _ emulator: EmulatorProcess
  ) async throws -> FunctionRun {
    try await runFunction(
      "translateMessage",
      input: #"{"text":"\#(text)","sourceLang":"en","targetLang":"it"}"#,
      environment: emulator.environment()
    )
  }

  private static func requests(_ emulator: EmulatorProcess) async throws -> JSONValue? {
    try await emulator.request("GET", "functions", "/providers/usage").json.at("requests")
  }

  @Test func `a real provider is asked and recorded, and its cassette replaces it later`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let tapes = "\(folder)/tapes"
      var answer: JSONValue?
      try await withSharedEmulator(["--no-triggers"]) { real in
        let base = "http://\(real.address("functions"))/providers"
        // The keys are in variables of the shell whose names only the options mention.
        try await withEmulator(
          "--no-triggers",
          "--provider",
          "openai=\(base)/v1",
          "--provider-key",
          "openai=A_KEY",
          "--provider",
          "translation=\(base)",
          "--provider-key",
          "translation=B_KEY",
          "--cassettes",
          tapes,
          environment: ["A_KEY": "emulator-openai-key", "B_KEY": "emulator-translation-key"]
        ) { emulator in
          let asked = try await Self.ask(emulator)
          #expect(asked.exitCode == 0, Comment(rawValue: asked.line.text))
          answer = asked.result?["aiResponse"]
          #expect(
            try await Self.translate("Thank you!", emulator).result?["translatedText"]
              == .string("Grazie!")
          )
          let usage = try await Self.requests(emulator)
          #expect(usage?.at("openai.200") == .integer(1))
          #expect(usage?.at("translation.200") == .integer(1))
          // A requested fault takes precedence over the real provider.
          _ = try await emulator.request(
            "POST",
            "functions",
            "/providers/faults",
            json: #"{"provider":"translation","kind":"status","status":403}"#
          )
          #expect(try await Self.translate("Good night", emulator).exitCode == 78)
        }
        let usage = try await Self.requests(real)
        #expect(usage?.at("openai.200") == .integer(1))
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: tapes).sorted()
      #expect(files.contains("openai-000001.json") && files.contains("translation-000001.json"))
      try await withEmulator(
        "--no-triggers",
        "--provider",
        "openai=cassettes",
        "--provider",
        "translation=cassettes",
        "--cassettes",
        tapes
      ) { emulator in
        let asked = try await Self.ask(emulator)
        #expect(asked.exitCode == 0, Comment(rawValue: asked.line.text))
        #expect(asked.result?["aiResponse"] == answer)
        #expect(
          try await Self.translate("Thank you!", emulator).result?["translatedText"]
            == .string("Grazie!")
        )
        #expect(try await Self.translate("See you tomorrow!", emulator).exitCode != 0)
      }
    }
  }

  @Test(arguments: [
    (
      ["--provider", "openai"],
      "--provider openai: use NAME=VALUE, where VALUE is live, a URL or cassettes"
    ),
    (
      ["--provider", "oauth=live"],
      "--provider oauth: no provider has this name: use one of translation, openai, anthropic, fcm"
    ),
    (["--provider", "openai=live"], "--provider openai: OPENAI_API_KEY is not set"),
    (
      ["--provider", "translation=live"],
      "--provider translation: GOOGLE_TRANSLATION_API_KEY or GOOGLE_APPLICATION_CREDENTIALS is not set"
    ),
    (
      ["--provider", "openai=http://example.com/v1"],
      "--provider openai: use live, cassettes or a URL; http://example.com/v1: refused"
    ),
    (
      ["--provider", "openai=https://127.0.0.1/v1", "--provider-key", "openai=NONE"],
      "--provider openai: NONE is not set"
    ),
    (
      ["--provider", "openai=live", "--provider-key", "openai=sk-real"],
      "--provider-key openai: the value is not the name of a variable"
    ),
    (
      ["--provider-key", "openai=A"], "--provider-key openai needs --provider openai=live or a URL"
    ),
    (["--provider", "openai=live", "--provider", "openai=live"], "--provider names openai twice"),
    (["--provider", "openai=cassettes"], "--provider openai=cassettes needs --cassettes"),
    (
      ["--provider", "openai=cassettes", "--cassettes", "none"],
      "there is no cassette of openai in "
    ),
    (["--cassettes", "tapes"], "--cassettes needs --provider"),
    (["--validate-pushes"], "--validate-pushes needs --provider fcm=live"),
    (
      ["--provider", "fcm=live"], "--provider fcm: GOOGLE_APPLICATION_CREDENTIALS is not set"
    ),
    (["--only", "firestore", "--provider", "openai=live"], "--provider needs functions"),
  ])
  func `a flag that makes no sense is refused`(
    options: [String],
    message: String
  ) async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.emulator(["exec"] + shell.options + options + ["--", "true"])
      #expect(output.exitCode != 0)
      #expect(output.errorText.contains(message), Comment(rawValue: output.errorText))
      #expect(!output.errorText.contains("sk-real"))
    }
  }

  @Test func `the start names the real providers and the owner of a key`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/key.json",
        #"{"type":"service_account","project_id":"chat-prod","client_email":"a@b.c","private_key":"x"}"#
      )
      let credentials = ["GOOGLE_APPLICATION_CREDENTIALS": "\(shell.folder)/key.json"]
      let push = ["--provider", "fcm=live", "--validate-pushes"]
      let other = try await shell.emulator(
        ["exec"] + shell.options + push + ["--", "true"],
        environment: credentials
      )
      #expect(
        other.errorText.contains(
          "--provider fcm: GOOGLE_APPLICATION_CREDENTIALS is a key of project chat-prod; "
            + "start with --project chat-prod"
        ),
        Comment(rawValue: other.errorText)
      )
      let key = "key-from-the-shell"
      let output = try await shell.emulator(
        ["exec"] + shell.options + ["--project", "chat-prod", "--provider", "openai=live"] + push
          + ["--", "/bin/sh", "-c", "env"],
        environment: credentials.merging(["OPENAI_API_KEY": key, "OPENAI_MODEL": "mine"]) { $1 }
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.errorText.contains("  Provider        openai is https://api.openai.com/v1\n"))
      #expect(
        output.errorText.contains(
          "  Provider        fcm is https://fcm.googleapis.com, checks pushes only\n"
        )
      )
      // The environment has the configured model, but not the real key.
      #expect(!output.text.contains(key))
      #expect(output.lines.contains("OPENAI_MODEL=mine"))
    }
  }
}
