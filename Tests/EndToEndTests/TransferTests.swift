import Core
import FunctionHost
import HTTPClient
import TestKit
import Testing

/// Exports and imports by commands, options and routes.
@Suite(.timeLimit(.minutes(10)))
struct TransferTests {
  /// Returns a shell command that writes a document to the emulator of `exec`.
  private static func set(_ path: String, _ value: String) -> String {
    """
    curl -sf -o /dev/null -X PATCH -d '{"fields":{"v":{"stringValue":"\(value)"}}}' \
      "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/\(path)"
    """
  }

  /// Returns a shell command that prints the only field of a document.
  private static func get(_ path: String) -> String {
    """
    echo "$(curl -s \
      "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/\(path)" \
      | sed -n 's/.*"stringValue":"\\([^"]*\\)".*/\\1/p')"
    """
  }

  @Test(arguments: ["ndjson", "google"])
  func `a run continues with the documents of the last one`(format: String) async throws {
    try await withEmulatorShell { shell in
      let options = ["--import", "data", "--export-on-exit", "data", "--export-format", format]
      func run(_ script: String) async throws -> ProgramOutput {
        try await shell.emulator(
          ["exec"] + shell.options + options + ["--", "/bin/sh", "-c", script]
        )
      }
      // In the first run, the folder doesn't exist.
      let first = try await run(Self.set("c/a", "one"))
      #expect(first.exitCode == 0, Comment(rawValue: first.errorText))
      #expect(first.errorText.contains("exported 1 documents to \(shell.folder)/data"))
      let second = try await run(Self.get("c/a") + "\n" + Self.set("c/a", "two") + "\nexit 7")
      #expect(second.text == "one\n")
      #expect(second.errorText.contains("imported 1 documents"))
      #expect(second.exitCode == 7)
      let third = try await run(Self.get("c/a"))
      #expect(third.text == "two\n")
      let names = try FileManager.default.contentsOfDirectory(atPath: shell.folder)
      #expect(names.filter { $0.hasPrefix(".") } == [])
    }
  }

  @Test func `an export's missing databases are reported`() async throws {
    try await withEmulatorShell { shell in
      func document(_ project: String, _ database: String) -> String {
        """
        curl -sf -o /dev/null -X PATCH -d '{}' \
          "http://$FIRESTORE_EMULATOR_HOST/v1/projects/\(project)/databases/\(database)/documents/c/a"
        """
      }
      let output = try await shell.exec(
        "--export-on-exit",
        "data",
        "--export-format",
        "google",
        script: document("$GOOGLE_CLOUD_PROJECT", "(default)") + "\n"
          + document("$GOOGLE_CLOUD_PROJECT", "second") + "\n" + document("demo-else", "third")
      )
      #expect(output.exitCode == 0)
      // The emulator exports both databases in its own format, because Google's has only one.
      #expect(output.errorText.contains("exporting as ndjson: Google's format holds one database"))
      #expect(output.errorText.contains("exported 2 documents to"))
      #expect(
        output.errorText.contains(
          "not exported, because they belong to other projects: projects/demo-else/databases/third"
        )
      )
      // The commands have the form of Firebase's tools: the folder comes without an option's name.
      let firebase = try await shell.exec(
        script: """
          emulator export google --format google --database second
          sed -i.old 's/^{/{"dataconnect":{"version":"1","path":"dataconnect_export"},/' \
            google/firebase-export-metadata.json
          emulator import google
          """,
        environment: ["PATH": try Self.pathWithEmulator()]
      )
      #expect(
        firebase.lines.last
          == "imported 0 documents of (default); not imported, because not emulated yet: dataconnect",
        Comment(rawValue: firebase.errorText)
      )
    }
  }

  @Test func `a folder that can't be replaced at the end loses no data`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec(
        "--export-on-exit",
        "data",
        script: Self.set("c/a", "one") + "\nmkdir data; echo mine >data/notes.txt"
      )
      #expect(output.exitCode == 1)
      #expect(
        output.errorText.hasSuffix(
          "emulator: \(shell.folder)/data is not empty and contains no export: name another folder\n"
        ),
        Comment(rawValue: output.errorText)
      )
      let names = try FileManager.default.contentsOfDirectory(atPath: shell.folder)
      let rescued = try #require(names.first { $0.hasPrefix("data-") })
      let next = try await shell.exec("--import", rescued, script: Self.get("c/a"))
      #expect(next.text == "one\n")
    }
  }

  /// Returns a `PATH` with the folder of this package's `emulator` in front.
  private static func pathWithEmulator() throws -> String {
    let emulator = try Products.path(of: "emulator")
    return "/\(emulator.split(separator: "/").dropLast().joined(separator: "/")):/usr/bin:/bin"
  }

  @Test func `a signal that ends the emulator lets it export`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/data"
      try await withEmulator("--export-on-exit", path) { emulator in
        try await emulator.write(#"{"c/a": {"v": 1}}"#)
      }
      let lines = try String(contentsOfFile: "\(path)/(default).ndjson", encoding: .utf8)
      #expect(lines.contains(#""name":"c/a""#))
    }
  }

  @Test func `a failed import fails the start, and nothing is exported`() async throws {
    try await withEmulatorShell { shell in
      let made = try await shell.exec(
        "--export-on-exit",
        "data",
        script: Self.set("c/a", "one")
      )
      #expect(made.exitCode == 0)
      let path = "\(shell.folder)/data/(default).ndjson"
      let whole = try Data(contentsOf: URL(filePath: path))
      try whole.dropLast(10).write(to: URL(filePath: path))
      let output = try await shell.exec(
        "--import",
        "data",
        "--export-on-exit",
        "data",
        "--ready-file",
        "ready",
        script: "echo ran"
      )
      #expect(output.exitCode == 1)
      #expect(output.text == "")
      #expect(
        output.errorText.hasSuffix(
          "emulator: \(path) is cut off: line 1 has no line break\n"
        ),
        Comment(rawValue: output.errorText)
      )
      #expect(try Data(contentsOf: URL(filePath: path)) == whole.dropLast(10))
      #expect(access("\(shell.folder)/ready", F_OK) != 0)
    }
  }

  @Test func `commands export from and import into the running emulator`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec(
        script: """
          set -e
          \(Self.set("c/a", "one"))
          emulator export own
          emulator export google --format google --database '(default)'
          \(Self.set("c/a", "two"))
          emulator import own
          \(Self.get("c/a"))
          emulator clear
          emulator import google/firebase-export-metadata.json
          \(Self.get("c/a"))
          emulator import own --database second
          emulator export google --format google || echo refused
          emulator import own --database a/b || echo refused
          emulator export own --format csv || echo refused
          emulator import missing || echo refused
          emulator import functions || echo refused
          emulator export functions || echo refused
          emulator export . || echo refused
          """,
        environment: ["PATH": try Self.pathWithEmulator()]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(
        output.lines == [
          "exported 1 documents of (default) to \(shell.folder)/own",
          "exported 1 documents of (default) to \(shell.folder)/google",
          "imported 1 documents of (default)", "one",
          "cleared projects/\(shell.project)/databases/(default)",
          "imported 1 documents of (default)", "one", "imported 1 documents of second",
          "refused", "refused", "refused", "refused", "refused", "refused", "refused",
        ],
        Comment(rawValue: output.text)
      )
      for sentence in [
        "Google's format supports only one database: choose one with --database: (default), second",
        "/missing: there is no export to import", "/functions contains no export",
        "/functions is not empty and contains no export: name another folder",
        "is the working folder or contains it",
      ] {
        #expect(output.errorText.contains(sentence), "\(sentence) in \(output.errorText)")
      }
    }
  }

  @Test func `a full disk leaves the old export, and the error names the file`() async throws {
    try await withEmulatorShell { shell in
      let emulator = try Products.path(of: "emulator")
      func run(_ limit: String, _ script: String) async throws -> ProgramOutput {
        // A limit on file sizes imitates a full disk.
        let program = """
          trap '' XFSZ
          ulimit -f \(limit)
          exec "\(emulator)" exec "$@"
          """
        return try await Permits.starts.hold {
          try await runProgram(
            "/bin/sh",
            ["-c", program, "sh"] + shell.options
              + ["--import", "data", "--export-on-exit", "data", "--", "/bin/sh", "-c", script],
            environment: plainEnvironment.merging(["TMPDIR": shell.temporaryDirectory]) { $1 },
            workingDirectory: shell.folder
          )
        }
      }
      let first = try await run("unlimited", Self.set("c/a", "one"))
      #expect(first.exitCode == 0, Comment(rawValue: first.errorText))
      let path = "\(shell.folder)/data/(default).ndjson"
      let before = try Data(contentsOf: URL(filePath: path))
      let text = String(repeating: "x", count: 40_000)
      let second = try await run("16", Self.set("c/b", text))
      #expect(second.exitCode == 1)
      #expect(
        second.errorText.contains("(default).ndjson can't be written: File too large"),
        Comment(rawValue: second.errorText)
      )
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: shell.folder).sorted()
      #expect(names == ["data", "functions", "tmp"])
    }
  }

  @Test func `a kill while exporting leaves a whole export, and the next export cleans up`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/data"
      let transport = HTTPClient(
        userAgent: "worldchat-tests",
        configuration: HTTPClientConfiguration(environment: [:])
      )
      @Sendable func export(_ emulator: EmulatorProcess) async throws {
        _ = try await transport.send(
          HTTPRequest(
            method: "POST",
            url: "http://\(emulator.address("hub"))/_admin/export",
            headers: [HTTPHeader("Content-Type", "application/json")],
            body: Data(#"{"path":"\#(path)","format":"ndjson"}"#.utf8)
          ),
          deadline: .generous
        )
      }
      try await withTemporaryFolder { home in
        let emulator = try await EmulatorProcess.start(
          [],
          functions: nil,
          environment: [:],
          folder: home
        )
        for batch in 0..<8 {
          let documents = (0..<250).map { "\"c/\(batch)-\($0)\": {\"v\": \"text\"}" }
          try await emulator.write("{\(documents.joined(separator: ","))}")
        }
        try await export(emulator)
        async let ended: Void? = try? export(emulator)
        emulator.process.signal(SIGKILL)
        _ = await emulator.process.exitStatus()
        _ = await ended
      }
      try await withEmulator("--import", path, "--export-on-exit", path) { emulator in
        let answer = try await emulator.request(
          "POST",
          "firestore",
          emulator.documents(":runAggregationQuery"),
          json: """
            {"structuredAggregationQuery":{"aggregations":[{"alias":"n","count":{}}],
              "structuredQuery":{"from":[{"collectionId":"c"}]}}}
            """
        )
        #expect(answer.text.contains(#""integerValue":"2000""#), Comment(rawValue: answer.text))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["data"])
    }
  }

  // MARK: Triggers

  private static let message = #"""
    {"conversations/c": {"participants": ["sarah", "marco"], "type": "one-on-one"},
     "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
     "users/marco/devices/phone": {"fcmToken": "marco-phone", "platform": "ios"},
     "users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
     "conversations/c/messages/m": {"senderId": "sarah", "text": "Thank you so much!",
       "language": "en", "status": "sent", "readBy": []}}
    """#

  @Test func `imported documents trigger functions only on request, and only fakes answer`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/data"
      try await withEmulator("--no-triggers", "--export-on-exit", path) { emulator in
        try await emulator.write(Self.message)
      }
      try await withEmulator("--import", path) { emulator in
        try await emulator.quiet()
        #expect(try await emulator.pushes().isEmpty)
        #expect(
          try await emulator.fields(of: "conversations/c/messages/m")?["translations"] == nil
        )
      }
      // The shell has real keys and addresses. The functions must use the fakes nevertheless.
      let real = [
        "GOOGLE_TRANSLATION_API_KEY": "real-key", "TRANSLATION_BASE_URL": "http://127.0.0.1:9",
        "FCM_BASE_URL": "http://127.0.0.1:9", "OPENAI_BASE_URL": "http://127.0.0.1:9",
      ]
      func check(_ emulator: EmulatorProcess) async throws {
        try await emulator.quiet()
        let fields = try await emulator.fields(of: "conversations/c/messages/m")
        #expect(fields?.at("translations.it")?.string != nil)
        #expect(try await emulator.pushes().map { $0["token"]?.string } == ["marco-phone"])
      }
      try await withEmulator("--import", path, "--import-triggers", environment: real) { emulator in
        try await check(emulator)
      }
      try await withEmulator(environment: real) { emulator in
        let answer = try await emulator.request(
          "POST",
          "hub",
          "/_admin/import",
          json: #"{"path":"\#(path)","firesTriggers":true}"#
        )
        #expect(answer.status == 200)
        try await check(emulator)
      }
    }
  }

  @Test func `routes refuse invalid requests`() async throws {
    try await withEmulator { emulator in
      for (path, body, message) in [
        ("export", "", "the request's body is empty"), ("export", "{}", #"has no "path""#),
        ("export", #"{"path":"x","format":"csv"}"#, #"format "csv" is not one of ndjson, google"#),
        ("export", #"{"path":"x","targets":["dataconnect"]}"#, #""dataconnect" can't be exported"#),
        ("export", #"{"path":"x","databases":["a/b"]}"#, "Database name"),
        ("export", #"{"path":7}"#, "has the wrong type"),
        ("import", #"{"path":"x"}"#, "there is no export to import"),
      ] {
        let answer = try await emulator.request("POST", "hub", "/_admin/\(path)", json: body)
        #expect([400, 404].contains(answer.status))
        #expect(answer.message?.contains(message) == true, "\(answer.text)")
      }
      let route = "/emulator/v1/projects/\(emulator.project):export"
      let database = "projects/\(emulator.project)/databases/(default)"
      for (body, message) in [
        ("{}", #"has no "database""#),
        (
          #"{"database":"(default)","export_directory":"/","export_name":"x"}"#,
          #"lacks "projects""#
        ),
        (
          #"{"database":"\#(database)","export_directory":"/nowhere","export_name":"x"}"#,
          "export_directory must be a directory"
        ),
        (
          #"{"database":"\#(database)","export_directory":"/tmp","export_name":"../x"}"#,
          "is not the name of a folder"
        ),
      ] {
        let answer = try await emulator.request("POST", "firestore", route, json: body)
        #expect(answer.status == 400)
        #expect(answer.message?.contains(message) == true, "\(answer.text)")
      }
      let page = try await emulator.request(
        "POST",
        "firestore",
        route,
        headers: [HTTPHeader("Origin", "http://localhost:3000")],
        json: "{}"
      )
      #expect((page.status, page.code) == (403, "PERMISSION_DENIED"))
    }
  }
}
