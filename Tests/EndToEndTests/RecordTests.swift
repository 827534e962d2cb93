import Core
import HTTPClient
import TestKit
import Testing

/// The recording of invocations as fixtures.
@Suite(.timeLimit(.minutes(10)))
struct RecordTests {
  /// A script that writes two people and a message, and calls a function as a stranger.
  private static let scene = #"""
    set -eu
    db="http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents"
    put() { curl -sSf -X PATCH "$db/$1" -d "{\"fields\":$2}" >/dev/null; }
    put users/beatrix '{"displayName":{"stringValue":"Beatrix Kowalski"},"primaryLanguage":{"stringValue":"en"}}'
    put users/ottavio '{"displayName":{"stringValue":"Ottavio"},"primaryLanguage":{"stringValue":"it"},"fcmToken":{"stringValue":"telefonino-1"}}'
    put conversations/c77 '{"participants":{"arrayValue":{"values":[{"stringValue":"beatrix"},{"stringValue":"ottavio"}]}}}'
    put conversations/c77/messages/m88 '{"senderId":{"stringValue":"beatrix"},"language":{"stringValue":"en"},"text":{"stringValue":"Thank you so much, Ottavio!"},"timestamp":{"timestampValue":"2026-03-01T18:00:00Z"}}'
    curl -sSf "http://$EMULATOR_UI_HOST/api/quiet" >/dev/null
    curl -sS "http://$FUNCTIONS_EMULATOR_HOST/askAI" -d '{"conversationId":"c77","query":"Why?"}' >/dev/null
    """#

  private static func record(
    _ shell: EmulatorShell,
    _ options: String,
    prelude: String = ""
  ) async throws -> ProgramOutput {
    try await makeFile("\(shell.folder)/scene.sh", scene)
    return try await shell.exec(
      script: """
        \(prelude)
        exec "$EMULATOR" record --functions "$PWD/functions" recorded \(options)
        """,
      environment: ["EMULATOR": Products.path(of: "emulator")]
    )
  }

  private static func files(_ shell: EmulatorShell) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(shell.folder)/recorded")
      .filter { !$0.hasSuffix("sendNotification") && $0.contains("/") }.sorted()
  }

  private static func text(_ shell: EmulatorShell) throws -> String {
    try files(shell).map { name in
      let data = try Data(contentsOf: URL(filePath: "\(shell.folder)/recorded/\(name)"))
      return String(decoding: data, as: UTF8.self)
    }.joined()
  }

  private static func replay(_ shell: EmulatorShell) async throws -> ProgramOutput {
    try await shell.emulator(
      ["replay", "--functions", "\(shell.folder)/functions", "recorded"]
    )
  }

  @Test func `invocations become fixtures that replay, without a device's token`()
    async throws
  {
    try await withEmulatorShell { shell in
      let output = try await Self.record(shell, "--raw -- sh scene.sh")
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.errorText.contains("recorded 9 fixtures\n"))
      let names = try Self.files(shell).map { $0.prefix { $0 != "." }.dropLast(9) }
      #expect(
        names == [
          "analyzeMessage/event-skipped", "askAI/call-unauthenticated",
          "mirrorMembership/event-ok", "mirrorPresence/event-skipped",
          "mirrorPresence/event-skipped",
          // The message, the registered device, and a profile without a token.
          "sendNotification/event-ok", "sendNotification/event-ok",
          "sendNotification/event-skipped",
          "translateMessage/event-ok",
        ]
      )
      let text = try Self.text(shell)
      #expect(!text.contains("telefonino"), "a device token is in the fixture")
      #expect(text.contains("Thank you so much, Ottavio!") && text.contains("Beatrix Kowalski"))
      #expect(!text.contains("worldchat-emulator-"), "a path of this machine is in the fixture")

      let replay = try await Self.replay(shell)
      #expect(replay.exitCode == 0, Comment(rawValue: replay.text))
      #expect(replay.text.hasPrefix("9 fixtures: 9 same"))
    }
  }

  @Test func `a deleted account is recorded, and a replay deletes none`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/forget.sh",
        #"""
        set -eu
        accounts="http://$FIREBASE_AUTH_EMULATOR_HOST/identitytoolkit.googleapis.com/v1/projects/$GOOGLE_CLOUD_PROJECT/accounts"
        curl -sSf "$accounts" -H 'Authorization: Bearer owner' -d '{"localId":"ottavio"}' >/dev/null
        token=$("$EMULATOR" token --uid ottavio)
        curl -sSf "http://$FUNCTIONS_EMULATOR_HOST/$GOOGLE_CLOUD_PROJECT/us-central1/forgetUser" \
          -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
          -d '{"data":{"uid":"ottavio"}}' >/dev/null
        """#
      )
      let output = try await shell.exec(
        script: #"exec "$EMULATOR" record --functions "$PWD/functions" recorded -- sh forget.sh"#,
        environment: ["EMULATOR": Products.path(of: "emulator")]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.errorText.contains("recorded 1 fixtures\n"))
      let text = try Self.text(shell)
      #expect(text.contains("accounts:delete") && text.contains(#""account" : "deleted""#))
      // Nothing listens any more where the account was.
      let replay = try await Self.replay(shell)
      #expect(replay.exitCode == 0, Comment(rawValue: replay.text))
    }
  }

  @Test(arguments: ["openai", "anthropic"])
  func `a streamed answer is recorded with its partial results`(
    provider: String
  ) async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/scene.sh", Self.scene)
      try await makeFile(
        "\(shell.folder)/stream.sh",
        #"""
        set -eu
        sh scene.sh
        curl -sSf -X PATCH "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/conversations/c77/messages/m89" \
          -d '{"fields":{"senderId":{"stringValue":"beatrix"},"language":{"stringValue":"en"},"text":{"stringValue":"Dinner with Archibald is at eight. Please bring your passport"},"timestamp":{"timestampValue":"2026-03-01T18:01:00Z"}}}' >/dev/null
        curl -sSf "http://$EMULATOR_UI_HOST/api/quiet" >/dev/null
        token=$("$EMULATOR" token --uid ottavio)
        curl -sSf "http://$FUNCTIONS_EMULATOR_HOST/$GOOGLE_CLOUD_PROJECT/us-central1/askAI" \
          -H "Authorization: Bearer $token" -H 'Accept: text/event-stream' -H 'Content-Type: application/json' \
          -d '{"data":{"conversationId":"c77","query":"When is dinner?"}}' >told
        """#
      )
      let output = try await shell.exec(
        script: """
          exec "$EMULATOR" record --functions "$PWD/functions" recorded --function askAI -- sh stream.sh
          """,
        environment: ["EMULATOR": Products.path(of: "emulator"), "LLM_PROVIDER": provider]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.errorText.contains("recorded 2 fixtures\n"))
      let told = try Data(contentsOf: URL(filePath: "\(shell.folder)/told"))
      #expect(String(decoding: told, as: UTF8.self).contains(#"data: {"message":"#))
      let name = try #require(try Self.files(shell).first { $0.contains("call-ok") })
      let path = "\(shell.folder)/recorded/\(name)"
      var text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      #expect(text.contains(#""partials""#) && text.contains("data: {"))
      #expect(try await Self.replay(shell).exitCode == 0)
      // `replay` reports a changed partial result as a difference.
      text = text.replacing(#""partials" : ["#, with: #""partials" : [{},"#)
      try Data(text.utf8).write(to: URL(filePath: path))
      let changed = try await Self.replay(shell)
      #expect(changed.exitCode == 1)
      #expect(changed.text.contains("  partials[0]"), Comment(rawValue: changed.text))
    }
  }

  @Test func `--count ends the recording, and the command's exit code is passed on`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/scene.sh", Self.scene)
      let counted = try await shell.exec(
        script: #"""
          "$EMULATOR" record --functions "$PWD/functions" recorded --count 1 2>log &
          until grep -q "recording to" log; do sleep 0.01; done
          sh scene.sh
          wait $! && cat log
          """#,
        environment: ["EMULATOR": Products.path(of: "emulator")]
      )
      #expect(counted.text.contains("recorded 1 fixtures\n"), Comment(rawValue: counted.text))
      let failed = try await Self.record(shell, "-- sh -c 'exit 9'")
      #expect(failed.exitCode == 9)
      #expect(failed.errorText.contains("recorded 0 fixtures"))
    }
  }

  @Test func `a full disk is reported in one sentence and leaves no partial file`() async throws {
    try await withEmulatorShell { shell in
      // A limit on file sizes imitates a full disk for this process alone.
      let output = try await Self.record(
        shell,
        "-- sh scene.sh",
        prelude: "trap '' XFSZ; ulimit -f 0"
      )
      #expect(output.exitCode == 1)
      #expect(output.errorText.contains(".json can't be written: File too large\n"))
      let left = try FileManager.default.subpathsOfDirectory(atPath: "\(shell.folder)/recorded")
      #expect(!left.contains { $0.contains(".json") })
    }
  }

  @Test func `a page in a browser can't record`() async throws {
    try await withSharedEmulator(["--no-triggers"]) { emulator in
      let answer = try await emulator.request(
        "POST",
        "hub",
        "/_admin/recordings",
        headers: [.init("Origin", "http://localhost:3000")]
      )
      #expect(answer.status == 403)
      let unknown = try await emulator.request("GET", "hub", "/_admin/recordings/x")
      #expect(unknown.status == 404)
    }
  }
}
