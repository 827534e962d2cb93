import Core
import HTTPClient
import TestKit
import Testing

/// Failed deliveries, retries and dead letters, with the commands that show and control them.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryTests {
  /// A function that logs each attempt.
  ///
  /// While the file `down` exists, the function asks for a retry. Without the file, it succeeds.
  private func script(_ folder: String) -> String {
    """
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"moody","writes":["echoes/{id}"],"triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
      exit
    fi
    cat > /dev/null
    echo "$INVOCATION_ATTEMPT" >> '\(folder)/attempts'
    if [ -e '\(folder)/down' ]; then
      echo '{"status":"error","exitCode":75,"error":{"code":"UNAVAILABLE","message":"is down"}}'
      exit 75
    fi
    echo '{"status":"skipped","exitCode":0,"reason":"nothing to echo"}'
    """
  }

  private func withMoodyFunction(
    retry: String = "local",
    timeScale: Int = 1,
    _ body: @Sendable (EmulatorProcess, String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/functions/moody", script(folder), isExecutable: true)
      try await makeFile("\(folder)/down", "")
      try await withEmulator(
        "--retry",
        retry,
        "--time-scale",
        "\(timeScale)",
        functions: "\(folder)/functions"
      ) { emulator in
        try await body(emulator, folder)
      }
    }
  }

  private func command(
    _ arguments: String...,
    of emulator: EmulatorProcess
  ) async throws -> ProgramOutput {
    try await runProgram(
      "emulator",
      arguments + ["--project", emulator.project],
      environment: plainEnvironment.merging(["FIREBASE_EMULATOR_HUB": emulator.address("hub")]) {
        $1
      }
    )
  }

  @Test func `a dead letter is listed, explained and retried`() async throws {
    try await withMoodyFunction { emulator, folder in
      try await emulator.write(#"{"notes/n1":{"text":"hey"}}"#)
      try await emulator.quiet()
      let dead = try #require(try await emulator.deliveries("?state=deadLettered").first)
      let id = try #require(dead["id"]?.string)
      #expect(dead["attempts"] == .integer(3))

      let list = try await command("events", "list", "--state", "deadLettered", of: emulator)
      let line = try #require(list.lines.first)
      #expect(list.lines.count == 1)
      for part in ["moody", "deadLettered", "notes/n1", id, "3 attempts", "UNAVAILABLE: is down"] {
        #expect(line.contains(part), "\(line)")
      }
      let shown = try await command("events", "show", id, "--json", of: emulator)
      #expect(try json(shown.text).at("deliveries.0.id") == .string(id))
      let why = try await command("why", "echoes/n1", of: emulator)
      #expect(
        why.text.hasPrefix(
          "echoes/n1 doesn't exist: moody failed and was given up (\(id), 3 attempts)"
        ),
        Comment(rawValue: why.text)
      )

      unlink("\(folder)/down")
      let retried = try await command("events", "retry", id, of: emulator)
      #expect(retried.lines.count == 1 && retried.exitCode == 0)
      try await emulator.quiet()
      #expect(try await emulator.deliveries().first?["state"] == .string("skipped"))
      let attempts = try String(contentsOfFile: "\(folder)/attempts", encoding: .utf8)
      #expect(attempts.split(separator: "\n") == ["1", "2", "3", "4"])

      let again = try await command("events", "retry", id, of: emulator)
      #expect(again.exitCode == 1 && again.errorText.contains("only dead letters are retried"))
      let nobody = try await command("events", "retry", "nobody", of: emulator)
      #expect(nobody.errorText.contains(#"no event or delivery "nobody""#))
      #expect(
        try await command("events", "retry", "--all", of: emulator).text == "no dead letters\n"
      )
      let reason = try await command("why", "echoes/n1", of: emulator)
      #expect(reason.text.contains("moody skipped it (\(id)): nothing to echo"))
    }
  }

  @Test func `--time-scale shortens production's retry delays`() async throws {
    try await withMoodyFunction(retry: "production", timeScale: 1_000) {
      emulator,
      folder in
      try await emulator.write(#"{"notes/n1":{"text":"hey"}}"#)
      // At normal speed the first delay is 10 to 20 s and each delay doubles, so the fifth attempt
      // would come minutes later. Attempts in between are visible only in the function's own file.
      while (try? String(contentsOfFile: "\(folder)/attempts", encoding: .utf8))?
        .split(separator: "\n").count ?? 0 < 5
      {
        try await Task.sleep(for: .milliseconds(10))
      }
      unlink("\(folder)/down")
      try await emulator.quiet()
      let delivery = try #require(try await emulator.deliveries().first)
      #expect(delivery["state"] == .string("skipped"))
      guard case .integer(let attempts)? = delivery["attempts"] else { throw Missing() }
      #expect(attempts >= 5)
    }
  }

  private struct Missing: Error {}

  @Test func `paused events are delivered on resume`() async throws {
    try await withMoodyFunction { emulator, folder in
      unlink("\(folder)/down")
      #expect(try await command("events", "pause", of: emulator).text == "paused\n")
      try await emulator.write(#"{"notes/n1":{"text":"hey"}}"#)
      let quiet = try await emulator.request("GET", "ui", "/api/quiet?timeoutSeconds=0.2")
      #expect(quiet.json == .object(["quiet": .boolean(false)]))
      #expect(try await emulator.deliveries("?state=waiting").count == 1)
      #expect(try await command("events", "resume", of: emulator).text == "resumed\n")
      try await emulator.quiet()
      #expect(try await emulator.deliveries("?state=skipped").count == 1)
    }
  }

  @Test func `metrics count attempts and outcomes`() async throws {
    try await withMoodyFunction { emulator, _ in
      try await emulator.write(#"{"notes/n1":{"text":"hey"}}"#)
      try await emulator.quiet()
      let page = try await emulator.request("GET", "ui", "/metrics")
      #expect(
        page.headers.first { $0.name.lowercased() == "content-type" }?.value.hasPrefix(
          "text/plain; version=0.0.4"
        ) == true
      )
      for line in [
        #"function_attempts_total{exit_code="75",function="moody"} 3"#,
        #"function_deliveries_total{function="moody",outcome="dead_lettered"} 1"#,
        #"function_start_delay_seconds_count{function="moody"} 1"#,
        #"function_latency_seconds_count{function="moody"} 0"#,
        #"outbox_deliveries{state="deadLettered"} 1"#, "outbox_dead_letters 1",
      ] {
        #expect(
          page.text.split(separator: "\n").contains(Substring(line)),
          Comment(rawValue: page.text)
        )
      }
    }
  }

  @Test func `metrics report how many translations were served, and how long a message took`()
    async throws
  {
    try await withEmulator { emulator in
      try await emulator.write(
        """
        {"users/sarah":{"primaryLanguage":"en"},"users/marco":{"primaryLanguage":"it"},
         "conversations/c":{"participants":["sarah","marco"]},
         "conversations/c/messages/m1":{"senderId":"sarah","text":"Thank you so much!"}}
        """
      )
      try await emulator.quiet()
      let page = try await emulator.request("GET", "ui", "/metrics").text
      for line in [
        #"function_latency_seconds_count{function="translateMessage"} 1"#,
        #"translations_served_total{function="translateMessage"} 1"#,
        #"translations_served_total{function="sendNotification"} 1"#,
        #"translations_served_total{function="analyzeMessage"} 0"#,
      ] {
        #expect(page.split(separator: "\n").contains(Substring(line)), Comment(rawValue: page))
      }
    }
  }

  @Test func `metrics report when a message was translated, pushed, read and opened`()
    async throws
  {
    try await withEmulator { emulator in
      let message = #"{"senderId":"sarah","text":"Thank you so much!","timestamp":\#(Self.past)"#
      try await emulator.write(
        """
        {"users/sarah":{"primaryLanguage":"en"},"users/marco":{"primaryLanguage":"it"},
         "users/marco/devices/phone":{"fcmToken":"phone"},
         "users/marco/devices/pad":{"fcmToken":"pad"},
         "conversations/c":{"participants":["sarah","marco"]},
         "conversations/c/messages/m1":\(message)}}
        """
      )
      try await emulator.quiet()
      for status in ["delivered", "read", "delivered"] {
        try await emulator.write(
          #"{"conversations/c/messages/m1":\#(message),"status":"\#(status)"}}"#
        )
        try await emulator.quiet()
      }
      let token = try await runProgram(
        "emulator",
        ["token", "--uid", "marco", "--project", emulator.project]
      ).text.trimmingLineFeed
      var answers: [JSONValue?] = []
      for _ in 0..<3 {
        let answer = try await emulator.request(
          "POST",
          "functions",
          "/trackOpen",
          headers: [HTTPHeader("Authorization", "Bearer \(token)")],
          json: #"{"conversationId":"c","messageId":"m1"}"#
        )
        answers.append(answer.json["counted"])
      }
      #expect(answers == [.boolean(true), .boolean(false), .boolean(false)])
      let page = try await emulator.request("GET", "ui", "/metrics").text
      let count = { (function: String, step: String) in
        #"message_latency_seconds_count{function="\#(function)",until="\#(step)"} 1"#
      }
      for line in [
        count("translateMessage", "translation"), count("sendNotification", "push"),
        count("sendNotification", "read"), count("trackOpen", "open"),
        #"pushes_sent_total{function="sendNotification"} 2"#,
        #"pushes_opened_total{function="trackOpen"} 1"#,
        #"pushes_opened_total{function="sendNotification"} 0"#,
      ] {
        #expect(page.split(separator: "\n").contains(Substring(line)), Comment(rawValue: page))
      }
    }
  }

  private static let past = #"{"timestampValue":"2025-10-21T10:00:00Z"}"#

  @Test func `a dead letter makes exec end with 3 and the number of attempts`()
    async throws
  {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/down", "")
      try await makeFile(
        "\(shell.folder)/functions/moody",
        script(shell.folder),
        isExecutable: true
      )
      let output = try await shell.exec(
        #"curl -fsS "http://$FIRESTORE_EMULATOR_HOST/v1/projects/\#(shell.project)/databases/(default)/documents/notes" -d '{}' > /dev/null"#
      )
      #expect(output.exitCode == 3)
      #expect(
        output.errorText.contains("after 3 attempts: UNAVAILABLE"),
        Comment(rawValue: output.errorText)
      )
    }
  }

  @Test(arguments: [
    ("/api/events?state=odd", 400), ("/api/events?limit=x", 400), ("/api/events/nobody", 404),
    ("/api/why", 400), ("/api/why?document=odd", 400), ("/api/why?document=a/b&field=a..b", 400),
    ("/api/quiet?timeoutSeconds=never", 400),
  ])
  func `an invalid request is refused`(target: String, status: Int) async throws {
    try await withMoodyFunction { emulator, _ in
      let answer = try await emulator.request("GET", "ui", target)
      #expect(answer.status == status && answer.message?.isEmpty == false)
    }
  }

  @Test func `a setting with an unknown member is refused`() async throws {
    try await withMoodyFunction { emulator, _ in
      for (target, body) in [
        ("chaos", #"{"spce":"crash=1"}"#), ("triggers", #"{"paused":true,"x":1}"#),
      ] {
        let answer = try await emulator.request("PUT", "ui", "/api/\(target)", json: body)
        #expect(answer.status == 400 && answer.message?.contains("there is no field") == true)
      }
      let chaos = try await emulator.request(
        "PUT",
        "ui",
        "/api/chaos",
        json: #"{"spec":"seed=2,crash=0.5"}"#
      )
      #expect(chaos.json["spec"] == .string("seed=2,crash=0.5"))
      #expect(
        try await emulator.request("GET", "ui", "/api/triggers").json["paused"] == .boolean(false)
      )
    }
  }
}
