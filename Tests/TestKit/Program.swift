import Core
import FunctionHost

/// The output of a program that has ended.
package struct ProgramOutput: Sendable {
  /// The exit code that a shell would report: 128 plus the signal if a signal ended the program.
  package var exitCode: Int32
  package var text: String
  package var errorText: String

  package var lines: [Substring] { text.split(separator: "\n") }
}

/// The state of a program's stdin after it has received its input.
package enum InputEnd: Sendable {
  case closed
  /// Stdin stays open until the program ends. The program must not wait for the end of its input.
  case open
}

/// The environment of every program: enough to find the usual tools, and nothing from the shell
/// that runs the tests.
package let plainEnvironment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

/// Runs a program until it ends.
///
/// - Parameter executable: a path, or the name of a product of this package.
/// - Throws: `DEADLINE_EXCEEDED` if it runs longer than `limit`. The program is killed.
package func runProgram(
  _ executable: String,
  _ arguments: [String] = [],
  input: some Sequence<UInt8> & Sendable = [UInt8](),
  inputEnd: InputEnd = .closed,
  environment: [String: String] = plainEnvironment,
  workingDirectory: String? = nil,
  limit: Duration = .seconds(300)
) async throws -> ProgramOutput {
  let command = Command(
    executable: executable.hasPrefix("/") ? executable : try Products.path(of: executable),
    arguments: arguments,
    environment: environment,
    workingDirectory: workingDirectory
  )
  return try await Permits.programs.hold {
    try await run(command, input: Array(input), inputEnd: inputEnd, limit: limit)
  }
}

private func run(
  _ command: Command,
  input: [UInt8],
  inputEnd: InputEnd,
  limit: Duration
) async throws -> ProgramOutput {
  ignoreBrokenPipes()
  let process = try ChildProcess.spawn(command)
  let watchdog = Task {
    try await Task.sleep(for: limit)
    await process.terminateGroup(grace: .zero)
  }
  async let writing: Void = {
    // A program may end before it has read its whole input.
    try? await process.write(input)
    if inputEnd == .closed { process.closeInput() }
  }()
  async let errors = process.errorOutput.collect(limit: 64 << 20)
  let output = try await process.output.collect(limit: 64 << 20)
  let errorText = String(decoding: try await errors, as: UTF8.self)
  let status = await process.exitStatus()
  await writing
  watchdog.cancel()
  guard status != .signalled(SIGKILL) else {
    throw StatusError(.deadlineExceeded, "\(command.executable) did not end: \(errorText)")
  }
  return ProgramOutput(
    exitCode: status.code,
    text: String(decoding: output, as: UTF8.self),
    errorText: errorText
  )
}
