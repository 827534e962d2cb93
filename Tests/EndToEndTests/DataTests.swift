import Core
import FunctionHost
import TestKit
import Testing

/// The option `--data DIR`, with which an emulator continues with the data of the previous one.
@Suite(.timeLimit(.minutes(10)))
struct DataTests {
  @Test func `documents outlive the emulator, and loading them triggers no function`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let data = "\(folder)/data"
      let project = "demo-kept"
      try await withEmulator("--data", data, "--no-triggers") { emulator in
        try await emulator.write(
          #"{"conversations/c/messages/m":{"text":"Ciao"}}"#,
          project: project
        )
        try await emulator.write(#"{"notes/1":{"n":1},"notes/2":{"n":2}}"#, project: project)
      }
      try await withEmulator("--data", data) { emulator in
        let kept = try await emulator.fields(of: "conversations/c/messages/m", project: project)
        #expect(kept?["text"] == .string("Ciao"))
        #expect(try await emulator.collection("notes", project: project).count == 2)
        try await emulator.quiet()
        #expect(try await emulator.deliveries().isEmpty)
        let answer = try await emulator.request(
          "DELETE",
          "firestore",
          "/emulator" + emulator.documents(project: project)
        )
        #expect(answer.status == 200)
      }
      try await withEmulator("--data", data) { emulator async throws in
        #expect(try await emulator.collection("notes", project: project).isEmpty)
      }
    }
  }

  @Test func `a second emulator's error names the process that uses the folder`() async throws {
    try await withTemporaryFolder { folder in
      try await withEmulator("--data", "\(folder)/data") { emulator in
        try await withEmulatorShell { shell in
          let output = try await shell.emulator(
            ["start"] + shell.options + ["--data", "\(folder)/data"]
          )
          #expect(output.exitCode == 1)
          let holder = emulator.process.processIdentifier
          #expect(
            output.errorText.contains("in use by the emulator with process id \(holder): end that")
          )
        }
      }
    }
  }

  @Test func `the demo can be started again`() async throws {
    try await withEmulatorShell { shell in
      let first = try await shell.exec("--seed", "demo", "--data", "kept", script: "true")
      #expect(first.exitCode == 0 && first.errorText.contains("Sarah writes to Marco"))
      let again = try await shell.exec("--seed", "demo", "--data", "kept", script: "true")
      #expect(again.exitCode == 0 && again.errorText.contains("have already met"))
    }
  }

  @Test func `an unusable folder is refused in one sentence`() async throws {
    try await withEmulatorShell { shell in
      try await makeFile("\(shell.folder)/diary/firestore.sqlite", "Dear diary,\n")
      for (path, words) in [
        ("diary", "diary/firestore.sqlite is not a file of this emulator"),
        ("/proc/none", "/proc/none can't be used for data: "), ("", "--data names no folder"),
      ] {
        let output = try await shell.emulator(["start"] + shell.options + ["--data", path])
        #expect(output.exitCode == (path == "" ? 64 : 1))
        #expect(output.errorText.contains(words))
        #expect(output.errorText.split(separator: "\n").count == 1)
      }
      let diary = try Data(contentsOf: URL(filePath: "\(shell.folder)/diary/firestore.sqlite"))
      #expect(diary == Data("Dear diary,\n".utf8))
    }
  }

  /// The test runs the emulator as another user. Tests in containers often run as root, which may
  /// access every folder.
  @Test(.enabled("only root on Linux can start it as another user") { try await canBeNobody() })
  func `a folder without permission`() async throws {
    try await withEmulatorShell { shell in
      let data = "\(shell.folder)/data"
      try await withEmulator("--data", data) { _ in }
      #expect(chown(shell.temporaryDirectory, nobody, nobody) == 0)
      let beforehand = try FileManager.default.contentsOfDirectory(atPath: data).sorted()
      for (path, mode) in [(data, 0o700), ("\(shell.folder)/new", 0o755)] as [(String, mode_t)] {
        #expect(chmod(path == data ? data : shell.folder, mode) == 0)
        let output = try await runAsNobody(
          try Products.path(of: "emulator"),
          ["start"] + shell.options + ["--data", path],
          environment: plainEnvironment.merging(["TMPDIR": shell.temporaryDirectory]) { $1 },
          workingDirectory: shell.folder
        )
        #expect(output.exitCode == 1)
        #expect(
          output.errorText.contains("\(path) can't be used for data: Permission denied"),
          "\(output.errorText)"
        )
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: data).sorted() == beforehand)
    }
  }
}

private let nobody: uid_t = 65_534

private func runAsNobody(
  _ executable: String,
  _ arguments: [String],
  environment: [String: String] = plainEnvironment,
  workingDirectory: String? = nil
) async throws -> ProgramOutput {
  try await runProgram(
    "/usr/bin/setpriv",
    ["--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", executable] + arguments,
    environment: environment,
    workingDirectory: workingDirectory
  )
}

/// Returns a Boolean value that indicates whether this process can run the emulator as another
/// user.
///
/// Only root can, and that user must have permission to execute the emulator.
private func canBeNobody() async throws -> Bool {
  guard getuid() == 0, access("/usr/bin/setpriv", X_OK) == 0 else { return false }
  let emulator = try Products.path(of: "emulator")
  return try await runAsNobody("/usr/bin/test", ["-x", emulator]).exitCode == 0
}
