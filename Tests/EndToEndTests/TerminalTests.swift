import Core
import TestKit
import Testing

/// The terminal's lines about deliveries, and the commands that show more.
@Suite(.timeLimit(.minutes(10)))
struct TerminalTests {
  /// A function that succeeds, is skipped or fails as the document's id says, and logs two lines.
  private static let script = """
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"note","triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
      exit
    fi
    event=$(cat)
    echo 'first line' >&2
    echo '{"severity":"ERROR","message":"the disk is full","disk":"sda"}' >&2
    case $event in
      */notes/skip*) echo '{"status":"skipped","exitCode":0,"reason":"not needed"}';;
      */notes/fail*)
        echo '{"status":"error","exitCode":65,"error":{"code":"INVALID_ARGUMENT","message":"bad"}}'
        exit 65;;
      *) echo '{"status":"ok","exitCode":0}';;
    esac
    """

  private func withNotes(
    _ body: @Sendable (EmulatorProcess) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/note", Self.script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.waitForOutput(containing: "Running.")
        try await emulator.write(#"{"notes/work":{"text":"hey"}}"#)
        try await emulator.quiet()
        try await body(emulator)
      }
    }
  }

  private func command(
    _ arguments: String...,
    of emulator: EmulatorProcess
  ) async throws -> ProgramOutput {
    try await command(arguments, of: emulator)
  }

  private func command(
    _ arguments: [String],
    of emulator: EmulatorProcess
  ) async throws -> ProgramOutput {
    try await runProgram(
      "emulator",
      arguments + ["--project", emulator.project],
      environment: environment(of: emulator)
    )
  }

  private func environment(of emulator: EmulatorProcess) -> [String: String] {
    plainEnvironment.merging(["FIREBASE_EMULATOR_HUB": emulator.address("hub")]) { $1 }
  }

  @Test func `each delivery is a line, and a failure has its last line of stderr`() async throws {
    try await withNotes { emulator in
      try await emulator.waitForOutput(containing: "note  created  notes/work  succeeded  ")
      try await emulator.write(#"{"notes/skip":{"text":"hey"}}"#)
      try await emulator.waitForOutput(containing: "notes/skip  skipped: not needed  ")
      try await emulator.write(#"{"notes/fail":{"text":"hey"}}"#)
      try await emulator.waitForOutput(
        containing: "notes/fail  gave up: INVALID_ARGUMENT: bad  "
      )
      try await emulator.waitForOutput(containing: "stderr: the disk is full")
      try await emulator.quiet()
      let dead = try #require(try await emulator.deliveries("?state=deadLettered").first)
      let id = try #require(dead["id"]?.string)
      try await emulator.waitForOutput(containing: "emulator events show \(id)")
    }
  }

  @Test func `--quiet prints neither addresses nor deliveries`() async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/note", Self.script, isExecutable: true)
      try await withEmulator("--quiet", functions: folder) { emulator in
        try await emulator.write(#"{"notes/work":{"text":"hey"}}"#)
        try await emulator.quiet()
        #expect(emulator.outputText.isEmpty)
      }
      let run = try await runProgram(
        "emulator",
        ["exec", "--quiet", "--only", "firestore", "--firestore-port", "0", "--", "true"],
        environment: plainEnvironment.merging(["TMPDIR": folder]) { $1 }
      )
      #expect(run.exitCode == 0 && run.text.isEmpty && run.errorText.isEmpty, "\(run.errorText)")
    }
  }

  @Test func `logs are filtered by function and document`() async throws {
    try await withNotes { emulator in
      for filter in [["--function", "note"], ["--document", "notes/work"]] {
        let logs = try await command("logs", filter[0], filter[1], of: emulator)
        #expect(logs.lines.count == 2)
        #expect(logs.text.contains("note  first line"))
        #expect(logs.text.contains("note  ERROR  the disk is full  disk=sda"))
      }
      #expect(try await command("logs", "--function", "other", of: emulator).text.isEmpty)
      #expect(try await command("logs", "--document", "notes/skip", of: emulator).text.isEmpty)
      let newest = try await command("logs", "--limit", "1", "--json", of: emulator)
      #expect(try json(newest.text).at("message") == .string("the disk is full"))
    }
  }

  @Test func `logs -f prints new lines until nobody reads them`() async throws {
    try await withNotes { emulator in
      async let followed = runProgram(
        "/bin/sh",
        ["-c", #"emulator logs -f --project "$0" | head -n 3"#, emulator.project],
        environment: environment(of: emulator).merging([
          "PATH": "\(try Products.path(of: "emulator").directory):/usr/bin:/bin"
        ]) { $1 }
      )
      // The first two lines are there; the third comes with the next document.
      try await emulator.write(#"{"notes/more":{"text":"hey"}}"#)
      #expect(try await followed.lines.count == 3)
    }
  }

  @Test func `status names the services, the functions and the dead letters`() async throws {
    try await withNotes { emulator in
      try await emulator.write(#"{"notes/fail":{"text":"hey"}}"#)
      try await emulator.quiet()
      let status = try await command("status", of: emulator)
      #expect(status.text.contains("project \(emulator.project)"))
      #expect(status.text.contains("Firestore       \(emulator.address("firestore"))\n"))
      #expect(status.text.contains("Function        note: 1 succeeded, 1 given up\n"))
      #expect(status.text.contains("Dead letters    1: emulator events list"))
      let report = try await command("status", "--json", of: emulator)
      #expect(try json(report.text).at("functions.0.name") == .string("note"))
      let none = try await runProgram(
        "emulator",
        ["status", "--project", "demo-\(UUID().uuidString.lowercased())"],
        environment: plainEnvironment
      )
      #expect(none.exitCode == 1 && none.errorText.contains("no emulator"), "\(none.errorText)")
    }
  }

  @Test func `an event is shown with its fields, deliveries and logs`() async throws {
    try await withNotes { emulator in
      try await emulator.write(#"{"notes/fail":{"text":"hey"}}"#)
      try await emulator.quiet()
      let dead = try #require(try await emulator.deliveries("?state=deadLettered").first)
      let id = try #require(dead["id"]?.string)
      let shown = try await command("events", "show", id, of: emulator)
      for line in [
        "created  notes/fail", "  field     text: \"hey\"", "note  gave up  ",
        "  error     INVALID_ARGUMENT: bad", "ERROR  the disk is full  disk=sda",
        "  again     emulator events retry \(id)",
      ] {
        #expect(shown.text.contains(line), "\(line) is missing in:\n\(shown.text)")
      }
      let why = try await command("why", "notes/fail", of: emulator)
      #expect(why.text.contains("It triggered:"))
      #expect(why.text.contains("note failed and was given up (\(id), 1 attempt)"))
    }
  }

  @Test func `no text from documents or functions controls the terminal`() async throws {
    try await withTemporaryFolder { folder in
      let script = Self.script.replacing("not needed", with: #"a\u001b]0;b\u0007"#)
      try await makeFile("\(folder)/note", script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.waitForOutput(containing: "Running.")
        try await emulator.write(#"{"notes/skip\u001b[2J":{"text":"\u001b[2J"}}"#)
        try await emulator.waitForOutput(
          containing: #"notes/skip\u{1B}[2J  skipped: a\u{1B}]0;b"#
        )
        let id = try #require(try await emulator.deliveries().first?["id"]?.string)
        for arguments in [["list"], ["show", id]] {
          let shown = try await command(["events"] + arguments, of: emulator)
          #expect(
            shown.text.contains(#"\u{1B}[2J"#) && !shown.text.contains("\u{1B}"),
            "\(shown.text)"
          )
        }
        let why = try await command(["why", "notes/skip\u{1B}[2J"], of: emulator)
        #expect(why.text.contains(#"a\u{1B}]0;b"#) && !why.text.contains("\u{1B}"), "\(why.text)")
      }
    }
  }

  @Test func `a call is a line, and is shown with its data`() async throws {
    try await withTemporaryFolder { folder in
      let script = """
        #!/bin/sh
        if [ "$1" = --describe ]; then
          echo '{"contract":1,"name":"greet","callable":true}'
          exit
        fi
        cat > /dev/null
        echo '{"status":"error","exitCode":65,"error":{"code":"INVALID_ARGUMENT","message":"bad"}}'
        exit 65
        """
      try await makeFile("\(folder)/greet", script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.waitForOutput(containing: "Running.")
        _ = try await emulator.request(
          "POST",
          "functions",
          "/greet",
          json: #"{"name":"Zoë"}"#
        )
        try await emulator.waitForOutput(
          containing: "greet  called   by nobody signed in  failed: INVALID_ARGUMENT: bad  "
        )
        let calls = try await emulator.request("GET", "ui", "/api/invocations")
        let id = try #require(calls.json.at("invocations.0.id")?.string)
        let shown = try await command("events", "show", id, of: emulator)
        for line in ["call of greet", #"data      {"name":"Zoë"}"#, "greet  failed  "] {
          #expect(shown.text.contains(line), "\(line) is missing in:\n\(shown.text)")
        }
      }
    }
  }

  @Test func `why names a missing document above`() async throws {
    try await withNotes { emulator in
      try await emulator.write(#"{"talks/new/notes/n1":{"text":"hey"}}"#)
      let why = try await command("why", "talks/new/notes/n1", of: emulator)
      #expect(why.text.contains("The document above it, talks/new, doesn't exist."))
    }
  }
}
