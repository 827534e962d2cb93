import Core
import TestKit
import Testing

/// Recorded invocations of this package's functions, replayed without an emulator.
@Suite(.timeLimit(.minutes(10)))
struct ReplayTests {
  private static let recordings = "\(Repository.folder)/Tests/Recordings"

  private static func replay(
    _ shell: EmulatorShell,
    _ arguments: String...
  ) async throws -> ProgramOutput {
    try await shell.emulator(["replay", "--functions", "\(shell.folder)/functions"] + arguments)
  }

  /// Copies a recording into the shell's folder, changes it, and returns its path.
  private static func change(
    _ name: String = "translateMessage/call-down-then-up.json",
    in shell: EmulatorShell,
    _ change: (inout String) -> Void
  ) throws -> String {
    let data = try Data(contentsOf: URL(filePath: "\(recordings)/\(name)"))
    var text = String(decoding: data, as: UTF8.self)
    let old = text
    change(&text)
    #expect(text != old, "the change has no effect on the recording")
    let path = "\(shell.folder)/fixture.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `the recordings of the five functions replay the same, successes and failures`()
    async throws
  {
    try await withEmulatorShell { shell in
      let output = try await Self.replay(shell, Self.recordings, "--coverage")
      #expect(output.exitCode == 0, Comment(rawValue: output.text + output.errorText))
      let last = try #require(output.lines.last)
      let count = try #require(last.split(separator: " ").first.flatMap { Int($0) })
      #expect(count >= 30 && last.contains("\(count) same, 0 differ, 0 bad"))
      for function in Products.functions {
        let line = try #require(output.lines.first { $0.hasPrefix("\(function): no fixture of ") })
        #expect(!line.contains(" ok"), "\(line)")
      }
    }
  }

  @Test func `a difference is shown, --update stores it, and the next replay is the same`()
    async throws
  {
    try await withEmulatorShell { shell in
      let path = try Self.change(in: shell) {
        $0 = $0.replacing("\"exitCode\": 0", with: "\"exitCode\": 75")
      }
      let output = try await Self.replay(shell, path)
      #expect(output.exitCode == 1)
      #expect(
        output.text.contains("  exitCode: expected 75, was 0\n"),
        Comment(rawValue: output.text)
      )
      #expect(output.lines.last?.hasPrefix("1 fixtures: 0 same, 1 differ, 0 bad") == true)

      let update = try await Self.replay(shell, path, "--update")
      #expect(update.exitCode == 0)
      #expect(update.text.contains("fixture.json: updated"))
      #expect(try await Self.replay(shell, path).exitCode == 0)
    }
  }

  @Test func `an unrecorded request fails, and so does a recorded one that isn't sent`()
    async throws
  {
    try await withEmulatorShell { shell in
      let path = try Self.change(in: shell) {
        $0 = $0.replacing("\"format\": \"text\"", with: "\"format\": \"html\"")
      }
      let output = try await Self.replay(shell, path, "--update")
      #expect(output.exitCode == 1, "--update doesn't change recorded exchanges")
      let text = Comment(rawValue: output.text)
      #expect(output.text.contains("was recorded with another body; body.format"), text)
      #expect(
        output.text.contains("POST /language/translate/v2 was recorded but not requested"),
        text
      )
    }
  }

  @Test func `an unrecorded document fails by name, and so does a recorded one that isn't read`()
    async throws
  {
    try await withEmulatorShell { shell in
      let path = try Self.change(in: shell) {
        $0 = $0.replacing("\"translations/", with: "\"elsewhere/")
      }
      let output = try await Self.replay(shell, path, "--update")
      #expect(output.exitCode == 1)
      let text = Comment(rawValue: output.text)
      let lines = output.lines
      #expect(
        lines.contains {
          $0.hasPrefix("  the function read translations/")
            && $0.hasSuffix(", which wasn't recorded")
        },
        text
      )
      #expect(
        lines.contains {
          $0.hasPrefix("  elsewhere/") && $0.hasSuffix(" was recorded but not requested")
        },
        text
      )
    }
  }

  @Test func `a recorded query that isn't sent fails`() async throws {
    try await withEmulatorShell { shell in
      let path = try Self.change(in: shell) {
        $0 = $0.replacing("\"version\": 1", with: #""queries": [{"list": "users"}], "version": 1"#)
      }
      let output = try await Self.replay(shell, path)
      #expect(output.exitCode == 1)
      #expect(
        output.text.contains("  {\"list\":\"users\"} was recorded but not requested\n"),
        Comment(rawValue: output.text)
      )
    }
  }

  @Test(arguments: [
    ("\"version\": 1", "\"version\": 2", "version 2 is not supported"),
    ("\"attempt\": 1", "\"attempt\": 1, \"x\": \"ya2" + "9.a0AfH6SMBabcdefghijk\"", "access token"),
    ("\"version\": 1", "\"version\": ", "not valid JSON"),
    (
      "\"function\": \"translateMessage\",\n  \"inv", "\"function\": \"nobody\",\n  \"inv",
      "no function"
    ),
  ])
  func `a bad fixture ends with 2 and the reason`(old: String, new: String, message: String)
    async throws
  {
    try await withEmulatorShell { shell in
      let path = try Self.change(in: shell) { $0 = $0.replacing(old, with: new) }
      let output = try await Self.replay(shell, path)
      #expect(output.exitCode == 2)
      #expect(output.text.contains("fixture.json: bad: "), Comment(rawValue: output.text))
      #expect(output.text.contains(message), Comment(rawValue: output.text))
    }
  }

  @Test func `bad outweighs different, and a report distinguishes them`() async throws {
    try await withEmulatorShell { shell in
      _ = try Self.change(in: shell) {
        $0 = $0.replacing("\"exitCode\": 0", with: "\"exitCode\": 75")
      }
      try Data("{}".utf8).write(to: URL(filePath: "\(shell.folder)/functions/bad.json"))
      let output = try await Self.replay(
        shell,
        "fixture.json",
        "functions",
        "--junit",
        "report.xml"
      )
      #expect(output.exitCode == 2)
      let report = String(
        decoding: try Data(contentsOf: URL(filePath: "\(shell.folder)/report.xml")),
        as: UTF8.self
      )
      #expect(report.contains(#"tests="2" failures="1" errors="1""#))
      let one = try await Self.replay(shell, "fixture.json", "functions", "--function", "askAI")
      #expect(one.lines.last?.hasPrefix("1 fixtures: 0 same, 0 differ, 1 bad") == true)
    }
  }

  @Test(arguments: [
    (["nowhere"], "nowhere doesn't exist"), (["tmp"], "there is no fixture in tmp"),
    (
      ["fixture.json", "--function", "translateMesage"],
      #"there is no fixture of the function "translateMesage" in fixture.json"#
    ),
    (["fixture.json", "--junit", "no/where.xml"], "--junit: no/where.xml can't be written"),
  ])
  func `unusable arguments end with 2 and one sentence`(
    arguments: [String],
    message: String
  ) async throws {
    try await withEmulatorShell { shell in
      _ = try Self.change(in: shell) { $0 += " " }
      let output = try await shell.emulator(
        ["replay", "--functions", "\(shell.folder)/functions"] + arguments
      )
      #expect(output.exitCode == 2)
      #expect(output.errorText == "emulator: \(message)\n")
    }
  }
}
