import Core
import HTTPClient
import TestKit
import Testing

/// Answers from the emulator's model fake, which needs no key and no network.
@Suite(.timeLimit(.minutes(10)))
struct AssistantTests {
  /// Flows 6 and 7, with the commands that a developer would type.
  @Test func `an idiom is explained, replies are suggested, a question is answered: by curl alone`()
    async throws
  {
    try await withEmulatorShell { shell in
      let script = #"""
        set -eu
        db="http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents"
        call="http://$FUNCTIONS_EMULATOR_HOST/$GOOGLE_CLOUD_PROJECT/us-central1"
        put() { curl -sSf -X PATCH "$db/$1" -d "{\"fields\":$2}" >/dev/null; }
        person() { put "users/$1" "{\"displayName\":{\"stringValue\":\"$2\"},\"primaryLanguage\":{\"stringValue\":\"$3\"}}"; }
        say() { put "conversations/c1/messages/$1" "{\"senderId\":{\"stringValue\":\"$2\"},\"language\":{\"stringValue\":\"$3\"},\"text\":{\"stringValue\":\"$4\"},\"timestamp\":{\"timestampValue\":\"2025-10-21T10:00:0$5Z\"}}"; }
        ask() { curl -sS "$call/$1" -H 'Content-Type: application/json' -H "Authorization: Bearer $("$EMULATOR" token --uid "$2")" -d "{\"data\":$3}"; echo; }
        person sarah Sarah en; person marco Marco it
        put conversations/c1 '{"participants":{"arrayValue":{"values":[{"stringValue":"sarah"},{"stringValue":"marco"}]}}}'
        say plain sarah en "Dinner is at eight, at Da Gino." 1
        say idiom sarah en "Break a leg at your interview tomorrow!" 2
        curl -sSf "http://$EMULATOR_UI_HOST/api/quiet" >/dev/null
        curl -sSf "$db/aiAnalysis/idiom" | tr -d '\n'; echo
        curl -sS -o /dev/null -w '%{http_code}\n' "$db/aiAnalysis/plain"
        ask smartReplies marco '{"conversationId":"c1"}'
        ask askAI marco '{"conversationId":"c1","query":"A che ora è la cena?"}'
        ask smartReplies mallory '{"conversationId":"c1"}'
        ask askAI mallory '{"conversationId":"c1","query":"What did they say?"}'
        ask analyzeMessage mallory '{"conversationId":"c1","messageId":"idiom"}'
        """#
      let output = try await shell.exec(
        script: script,
        environment: ["EMULATOR": Products.path(of: "emulator")]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      let lines = output.lines.map { String($0) }
      try #require(lines.count == 7, Comment(rawValue: output.text))

      let analysis = try #require(try json(lines[0])["fields"]?.plainFields)
      #expect(analysis["suggestedEquivalent"] == .string("In bocca al lupo"))
      #expect(analysis["type"] == .string("idiom"))
      #expect(analysis["language"] == .string("it"))
      #expect(analysis["engine"] == .string("emulator-rules"))
      #expect(lines[1] == "404", "an ordinary sentence has no analysis")

      let suggestions = try #require(
        try json(lines[2]).at("result.suggestions")?.array,
        Comment(rawValue: lines[2])
      )
      #expect(Set(suggestions.map { $0["text"] }).count == 3)
      for suggestion in suggestions {
        #expect(suggestion["language"] == .string("it"))
        #expect(suggestion["translationLanguage"] == .string("en"))
        #expect(suggestion["translation"]?.string?.isEmpty == false)
      }
      let answer = try json(lines[3])
      #expect(answer.at("result.contextIds") == .array([.string("plain")]))
      #expect(answer.at("result.aiResponse")?.string?.contains("Dinner is at eight") == true)
      for line in lines[4...] {
        #expect(try json(line).at("error.status") == .string("PERMISSION_DENIED"))
      }
    }
  }

  @Test(arguments: ["openai", "anthropic"])
  func `either model API is used, by configuration`(provider: String) async throws {
    try await withEmulator(environment: ["LLM_PROVIDER": provider]) { emulator in
      try await emulator.write(
        """
        {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
         "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
         "conversations/c1": {"participants": ["sarah", "marco"]}}
        """
      )
      try await emulator.write(
        """
        {"conversations/c1/messages/m1": {
           "senderId": "sarah", "language": "en", "text": "Let's not spill the beans, ok?",
           "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
        """
      )
      try await emulator.quiet()
      let analysis = try await emulator.fields(of: "aiAnalysis/m1")
      #expect(analysis?["type"] == .string("idiom"))
      let secrets = try await emulator.request("GET", "ui", "/api/functions").json.array?
        .first { $0["name"] == .string("analyzeMessage") }?["secrets"]
      #expect(secrets == .array([.string("\(provider.uppercased())_API_KEY")]))
      for (function, data) in [
        ("smartReplies", #"{"conversationId":"c1"}"#),
        ("askAI", #"{"conversationId":"c1","query":"Quali fagioli?"}"#),
      ] {
        let run = try await runFunction(
          function,
          input: #"{"data":\#(data),"auth":{"uid":"marco"}}"#,
          environment: emulator.environment().merging(["LLM_PROVIDER": provider]) { $1 }
        )
        #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
        #expect(run.result?["engine"] == .string("emulator-rules"))
      }
    }
  }

  @Test func `a model's answer is reused until the conversation goes on`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let project = emulator.project
      func say(_ id: String, _ text: String) async throws {
        try await emulator.write(
          """
          {"conversations/c1/messages/\(id)": {
             "senderId": "sarah", "language": "en", "text": "\(text)",
             "timestamp": {"timestampValue": "2025-10-21T10:00:0\(id)Z"}}}
          """
        )
      }
      func providerCalls() async throws -> JSONValue? {
        let run = try await runFunction(
          "smartReplies",
          input: #"{"data":{"conversationId":"c1"},"auth":{"uid":"marco"}}"#,
          environment: emulator.environment(project: project)
        )
        #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
        return run.line.at("usage.providerCalls")
      }
      try await emulator.write(
        """
        {"users/sarah": {"primaryLanguage": "en"}, "users/marco": {"primaryLanguage": "it"},
         "conversations/c1": {"participants": ["sarah", "marco"]}}
        """
      )
      try await say("1", "How are you?")
      #expect(try await providerCalls() == .integer(1))
      #expect(try await providerCalls() == .integer(0))
      try await say("2", "Are you there?")
      #expect(try await providerCalls() == .integer(1))
      try await say("2", "Are you here?")
      #expect(try await providerCalls() == .integer(1), "an edited message needs new replies")
    }
  }

  @Test func `LLM_PROVIDER is one of two, and each needs its own key`() async throws {
    let complete = plainEnvironment.merging(["GOOGLE_CLOUD_PROJECT": "p"]) { $1 }
    for (provider, key, message) in [
      ("anthropic", "OPENAI_API_KEY", "ANTHROPIC_API_KEY is not set"),
      ("openai", "ANTHROPIC_API_KEY", "OPENAI_API_KEY is not set"),
      ("other", "OPENAI_API_KEY", "LLM_PROVIDER must be openai or anthropic"),
    ] {
      let run = try await runFunction(
        "smartReplies",
        input: "{}",
        environment: complete.merging(["LLM_PROVIDER": provider, key: "k"]) { $1 }
      )
      #expect((run.exitCode, run.errorMessage) == (78, message))
    }
  }
}
