import Core
import TestKit
import Testing

/// The file of security rules: loaded at the start, and again when it changes.
@Suite(.timeLimit(.minutes(10)))
struct RulesFileTests {
  /// A ruleset with which reading `t/x` is allowed or denied.
  private static func rules(_ condition: String) -> String {
    """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{db}/documents {
        match /t/{id} {
          allow get: if \(condition);
        }
      }
    }

    """
  }

  // MARK: Start

  @Test func `rules with errors refuse to start with every error's place`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        #"{"firestore":{"rules":"my.rules"}}"#
      )
      try await makeFile("\(shell.folder)/my.rules", "service cloud.firestore {")
      let refused = try await shell.exec("true")
      #expect(refused.exitCode == 1)
      #expect(refused.errorText.contains("\nmy.rules:1:26: error: Unexpected '<EOF>'."))
      #expect(refused.errorText.contains("--no-rules"))
    }
  }

  @Test func `twenty errors are printed, and the others are counted`() async throws {
    try await withEmulatorShell { shell in
      let functions = (0..<2_000).map { "function f() { return \($0); }" }
      for (count, others) in [(31, "and 41 more"), (2_000, "and at least 980 more")] {
        try await makeFile(
          "\(shell.folder)/my.rules",
          functions.prefix(count).joined(separator: "\n")
            + "service cloud.firestore { match /a { allow read; } }"
        )
        let refused = try await shell.exec("--rules", "my.rules", script: "true")
        let lines = refused.errorText.split(separator: "\n")
        #expect(refused.exitCode == 1)
        #expect(lines.count { $0.hasPrefix("my.rules:") && $0.contains(": error: ") } == 20)
        #expect(lines.last == "my.rules: \(others) (run emulator rules check my.rules)")
      }
    }
  }

  @Test func `rules without Firestore are warned of`() async throws {
    try await withEmulatorShell { shell in
      let storage = "rules_version = '2';\nservice firebase.storage { match /a { allow read; } }"
      try await makeFile("\(shell.folder)/my.rules", storage)
      let output = try await shell.exec("--rules", "my.rules", script: "true")
      #expect(output.exitCode == 0)
      #expect(
        output.errorText.contains(
          "my.rules:1:1: warning: Every request of a client is denied, because there is no "
            + "service cloud.firestore.\n"
        )
      )
    }
  }

  @Test(arguments: [
    ([], nil, "none: all data is open"),
    (["--no-rules"], nil, "off (--no-rules)"),
    (["--no-rules", "--rules", "no.where"], "no.where", "off (--no-rules)"),
    (["--rules", "my.rules"], "no.where", "my.rules"),
    ([], "my.rules", "my.rules"),
  ])
  func `the list of services says which rules hold`(
    options: [String],
    inFirebaseJSON: String?,
    summary: String
  ) async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/my.rules", Self.rules("false"))
      if let inFirebaseJSON {
        try await makeFile(
          "\(shell.folder)/firebase.json",
          #"{"firestore":{"rules":"\#(inFirebaseJSON)"}}"#
        )
      }
      let output = try await shell.emulator(
        ["exec"] + shell.options + options + ["--", "true"]
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      #expect(output.errorText.contains("\n  Rules           \(summary)\n"))
    }
  }

  @Test func `rules that nothing enforces aren't read`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile(
        "\(shell.folder)/firebase.json",
        #"{"firestore":{"rules":"no.where"}}"#
      )
      #expect(try await shell.exec("--only", "auth", script: "true").exitCode == 0)
    }
  }

  @Test func `the coverage names what no request has decided`() async throws {
    try await withEmulatorShell { shell in
      let rules = """
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid} {
              allow get: if uid == 'sarah';
              allow delete: if uid
                == 'marco';
            }
          }
        }
        """
      try await makeFile("\(shell.folder)/my.rules", rules)
      let script = """
        set -e
        documents="http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents"
        curl --silent "$documents/users/sarah" > /dev/null
        "$EMULATOR" rules coverage
        "$EMULATOR" rules coverage --strict || echo "exit code $?"
        """
      let environment = ["EMULATOR": try Products.path(of: "emulator")]
      let output = try await shell.exec(
        "--rules",
        "my.rules",
        script: script,
        environment: environment
      )
      let lines = """
        my.rules:4:21: always true: uid == 'sarah'
        my.rules:5:24: never evaluated: uid == 'marco'
        2 of 4 expressions were evaluated.

        """
      #expect(output.text == lines + lines + "exit code 1\n", Comment(rawValue: output.errorText))

      let open = try await shell.exec(
        script: "\"$EMULATOR\" rules coverage",
        environment: environment
      )
      #expect(open.exitCode == 1)
      #expect(open.errorText.contains("has no security rules: all data is open"))
    }
  }

  // MARK: Changes

  @Test func `a changed file replaces the rules, and one with errors doesn't`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/my.rules"
      try await makeFile(path, Self.rules("true"))
      try await withEmulator("--rules", path) { emulator in
        #expect(try await read(emulator) == 404)

        try await makeFile(path, Self.rules("false"))
        try await emulator.waitForOutput(containing: "\(path): the rules were replaced")
        #expect(try await read(emulator) == 403)

        try await makeFile(path, "service cloud.firestore {")
        try await emulator.waitForOutput(containing: "\(path):1:26: error: Unexpected '<EOF>'.")
        #expect(try await read(emulator) == 403)
        let broken = try await report(emulator)
        #expect(broken.at("failure.message")?.string?.hasPrefix("\(path):1:26: error: ") == true)
        #expect(broken["file"]?.string == path)

        // Editors write a new file and give it the old one's name.
        try await makeFile("\(path).new", Self.rules("nofn() || id == 'x'"))
        #expect(rename("\(path).new", path) == 0)
        try await emulator.waitForOutput(
          containing: "\(path):5:21: warning: Invalid function name: nofn."
        )
        #expect(try await read(emulator) == 404)
        let mended = try await report(emulator)
        #expect(mended["failure"] == nil)
        #expect(mended.at("warnings.0.line")?.integer == 5)

        #expect(unlink(path) == 0)
        try await emulator.waitForOutput(containing: "\(path) can't be read")
        #expect(try await read(emulator) == 404)

        try await makeFile(path, Self.rules("nofn() || id == 'x'"))
        try await emulator.waitForOutput(containing: "\(path): the rules are the same as before")
      }
    }
  }

  @Test func `the projects that keep other rules are named`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/my.rules"
      try await makeFile(path, Self.rules("true"))
      try await withEmulator("--rules", path) { emulator in
        let file: JSONValue = .object(["content": .string(Self.rules("false"))])
        let response = try await emulator.request(
          "PUT",
          "firestore",
          "/emulator/v1/projects/\(emulator.project):securityRules",
          body: JSON.encode(JSONValue.object(["rules": .object(["files": .array([file])])]))
        )
        #expect(response.status == 200)
        try await makeFile(path, Self.rules("id == 'x'"))
        try await emulator.waitForOutput(
          containing: "which still hold, for projects \"\(emulator.project)\""
        )
        #expect(try await read(emulator) == 403)
      }
    }
  }

  @Test func `values given to debug are printed`() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/my.rules"
      try await makeFile(path, Self.rules("debug(id) == 'x'"))
      try await withEmulator("--rules", path) { emulator in
        #expect(try await read(emulator) == 404)
        try await emulator.waitForOutput(containing: "debug: 'x'")
        #expect(try await read(emulator, "x%0A%1B%5B31m") == 403)
        try await emulator.waitForOutput(containing: #"debug: 'x\n\u{1B}[31m'"#)
      }
    }
  }

  private func read(_ emulator: EmulatorProcess, _ id: String = "x") async throws -> Int {
    try await emulator.request(
      "GET",
      "firestore",
      "/v1/projects/\(emulator.project)/databases/(default)/documents/t/\(id)"
    ).status
  }

  private func report(_ emulator: EmulatorProcess) async throws -> JSONValue {
    try await emulator.request("GET", "ui", "/api/rules").json
  }
}
