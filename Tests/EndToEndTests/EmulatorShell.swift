import Core
import HTTPClient
import TestKit
import Testing

/// A folder in which tests run emulator commands, with a separate TMPDIR.
struct EmulatorShell: Sendable {
  let folder: String
  let project = "demo-\(UUID().uuidString.lowercased())"

  var temporaryDirectory: String { "\(folder)/tmp" }

  /// The options for free ports and this package's functions.
  var options: [String] {
    ["firestore", "auth", "functions", "ui", "hub"].flatMap { ["--\($0)-port", "0"] }
      + ["--project", project, "--functions", "\(folder)/functions"]
  }

  /// Runs an emulator command.
  func emulator(
    _ arguments: [String],
    environment: [String: String] = [:],
    limit: Duration = .seconds(300)
  ) async throws -> ProgramOutput {
    guard ["start", "exec"].contains(arguments.first) else {
      return try await run(arguments, environment: environment, limit: limit)
    }
    return try await Permits.starts.hold {
      try await run(arguments, environment: environment, limit: limit)
    }
  }

  private func run(
    _ arguments: [String],
    environment: [String: String],
    limit: Duration
  ) async throws -> ProgramOutput {
    try await runProgram(
      "emulator",
      arguments,
      environment: plainEnvironment.merging(["TMPDIR": temporaryDirectory]) { $1 }
        .merging(environment) { $1 },
      workingDirectory: folder,
      limit: limit
    )
  }

  /// Runs a shell script under `emulator exec`.
  func exec(
    _ options: String...,
    script: String,
    environment: [String: String] = [:],
    limit: Duration = .seconds(300)
  ) async throws -> ProgramOutput {
    try await emulator(
      ["exec"] + self.options + options + ["--", "/bin/sh", "-c", script],
      environment: environment,
      limit: limit
    )
  }

  func exec(_ script: String) async throws -> ProgramOutput { try await exec(script: script) }
}

/// Runs `body` with a new shell, and checks that the commands leave no file in its TMPDIR.
func withEmulatorShell(_ body: @Sendable (EmulatorShell) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in
    let shell = EmulatorShell(folder: folder)
    try makeFolder(shell.temporaryDirectory)
    try makeFunctionsFolder("\(folder)/functions")
    try await body(shell)
    #expect(try FileManager.default.contentsOfDirectory(atPath: shell.temporaryDirectory) == [])
  }
}

extension String {
  var trimmingLineFeed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
