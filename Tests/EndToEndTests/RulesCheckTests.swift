import Core
import TestKit
import Testing

/// The command `emulator rules check`.
@Suite(.timeLimit(.minutes(10)))
struct RulesCheckTests {
  private static let good = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents/notes/{id} {
        allow read;
      }
    }
    """
  private static let doubtful = good.replacing("allow read", with: "allow reed")
  private static let hidden = "\u{FEFF}" + good
  private static let bad = good.replacing("allow read", with: "allow")

  @Test(arguments: [
    (["good.rules"], 0, []),
    (["doubtful.rules"], 0, ["doubtful.rules:4:11: warning: Invalid method name: reed."]),
    (
      ["--strict", "doubtful.rules"], 1,
      ["doubtful.rules:4:11: warning: Invalid method name: reed."]
    ),
    (
      ["bad.rules", "good.rules", "none.rules"], 1,
      [
        "bad.rules:4:10: error: Expected at least one 'operation' after 'allow'.",
        "error: none.rules can't be read: No such file or directory",
      ]
    ),
    (
      ["hidden.rules"], 1,
      [#"hidden.rules:1:1: error: token recognition error at: '\u{FEFF}'"#]
    ),
    (["."], 1, ["error: . is not a file"]),
  ])
  func `issues are printed by file and line, and errors fail`(
    arguments: [String],
    code: Int,
    lines: [String]
  ) async throws {
    try await withEmulatorShell { shell in
      for (name, text) in [
        ("good", Self.good), ("doubtful", Self.doubtful), ("bad", Self.bad),
        ("hidden", Self.hidden),
      ] {
        try Data(text.utf8).write(to: URL(filePath: "\(shell.folder)/\(name).rules"))
      }
      let output = try await shell.emulator(["rules", "check"] + arguments)
      #expect(output.exitCode == Int32(code))
      #expect(output.errorText.split(separator: "\n").map(String.init) == lines)
      #expect(output.text == "")
    }
  }

  @Test func `standard input is a file, and all its errors are printed`() async throws {
    let functions = (0..<31).map { "function f() { return \($0); }" }.joined(separator: "\n")
    let text = Self.good.replacing("service", with: "\(functions)\nservice")
    let output = try await runProgram("emulator", ["rules", "check", "-"], input: text.utf8)
    #expect(output.exitCode == 1)
    let lines = output.errorText.split(separator: "\n")
    #expect(lines.count { $0.hasSuffix("error: Function f is already defined.") } == 30)
    #expect(lines.first?.hasPrefix("<stdin>:2:10: ") == true)
    let good = try await runProgram("emulator", ["rules", "check", "-"], input: Self.good.utf8)
    #expect(good.exitCode == 0 && good.errorText == "")
  }
}
